// The development server must leave weft-cloth beside its WebAssembly module. The built page awaits at its top level.
export default { optimizeDeps: { exclude: ["weft-cloth"] }, build: { target: "es2022" } };

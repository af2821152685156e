// Lint rules of the studio's page.
import js from "@eslint/js";
import ts from "typescript-eslint";

export default ts.config(
    { ignores: ["dist/", "node_modules/", "eslint.config.js"] },
    js.configs.recommended,
    ...ts.configs.strictTypeChecked,
    {
        languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
        rules: {
            "@typescript-eslint/no-non-null-assertion": "off",
            "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
            "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
        },
    },
);

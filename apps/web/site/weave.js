// The pattern of the landing page's cloth: a checked twill, drawn thread by thread.

const SIZE = 512; // pixels of a repeat
const THREADS = 128; // of a repeat, in each direction

/** Colours of the threads of a repeat, as bands of [colour, threads]. */
const BANDS = [
    ["#a92a26", 44],
    ["#1d2746", 10],
    ["#a92a26", 6],
    ["#e9dcc0", 3],
    ["#a92a26", 6],
    ["#1d2746", 10],
    ["#a92a26", 44],
    ["#8f1d19", 5],
];

function threadColours() {
    const colours = BANDS.flatMap(([colour, count]) => Array(count).fill(colour));
    if (colours.length !== THREADS) throw new Error(`${colours.length} threads`);
    return colours;
}

/** A canvas with one repeat. In a 2/2 twill each thread passes over two and under two, one step further per row. */
export function weave() {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = SIZE;
    const context = canvas.getContext("2d");
    const colours = threadColours();
    const width = SIZE / THREADS;
    for (let row = 0; row < THREADS; row++)
        for (let column = 0; column < THREADS; column++) {
            const isWarp = (row + column) % 4 < 2;
            context.fillStyle = colours[isWarp ? column : row];
            context.fillRect(column * width, row * width, width, width);
        }
    // the gaps between threads
    context.fillStyle = "rgb(0 0 0 / 9%)";
    for (let i = 0; i < THREADS; i++) {
        context.fillRect(i * width, 0, 1, SIZE);
        context.fillRect(0, i * width, SIZE, 1);
    }
    return canvas;
}

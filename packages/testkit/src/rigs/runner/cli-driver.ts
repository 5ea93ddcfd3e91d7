// Runs the command line many times in one process: one JSON array of arguments per line of input, a mark after each on both outputs.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [main = '', mark = ''] = process.argv.slice(2);
const runs: string[][] = readFileSync(0, 'utf8')
	.split('\n')
	.filter((line) => line !== '')
	.map((line) => JSON.parse(line));

// Every run adds listeners that a process would add once.
process.stdout.setMaxListeners(0);
process.setMaxListeners(0);

for (const [index, args] of runs.entries()) {
	process.argv = [process.execPath, main, ...args];
	process.exitCode = 0;
	// Under another name it is another module, and runs again.
	const again = `${pathToFileURL(main).href}?run=${index}`;
	await import(again);
	process.stderr.write(`${mark}\n`);
	process.stdout.write(`${mark} ${process.exitCode}\n`);
}
process.exitCode = 'polluted' in Object.prototype ? 1 : 0;

// Takes the screenshots of the README from the demo: `terminal`, `web`, or both.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from '@roost/testkit/rigs/requirements';
import { takeTerminalPictures } from './terminal-pictures.ts';
import { takeWebPictures } from './web-pictures.ts';

export type Save = (name: string, content: string | Uint8Array) => void;

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
const TAKERS: Record<string, (save: Save) => Promise<void>> = { terminal: takeTerminalPictures, web: takeWebPictures };

const given = process.argv.slice(2);
const chosen = given.length > 0 ? given : Object.keys(TAKERS);
const problem = chosen.includes('web') ? program('chromium').missing : undefined;
if (problem === undefined) for (const name of chosen) await takerOf(name)(save);
else {
	process.stderr.write(`${problem} Without it, "npm run pictures terminal" takes the screenshots of the terminal UI.\n`);
	process.exitCode = 1;
}

function takerOf(name: string): (save: Save) => Promise<void> {
	const taker = TAKERS[name];
	if (!taker) throw new Error(`Pictures "${name}" not found. Choose one of ${Object.keys(TAKERS).join(', ')}.`);
	return taker;
}

function save(name: string, content: string | Uint8Array): void {
	writeFileSync(join(FOLDER, name), content);
	process.stdout.write(`docs/pictures/${name} ${Math.ceil(content.length / 1024)} KB\n`);
}

// The first file of the program: small, so that the compiled code of everything else can be cached.
import { mkdirSync, writeSync } from 'node:fs';
import * as module from 'node:module';
import { PROGRAM_FOLDER, programFile } from '@roost/core/process/program-files';
import { VERSION } from '@roost/home/version';
import { toSourceStack } from './source-stack.ts';

const OLDEST_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
	process.stderr.write(
		`roost: Node.js ${OLDEST_NODE} or newer is needed; this is ${process.versions.node}. Install it, then run this again.\n`,
	);
	process.exit(3);
}
if (process.argv.length === 3 && process.argv[2] === '--version') printVersion();
else {
	Error.prepareStackTrace = toSourceStack;
	keepCompiledCode(`${PROGRAM_FOLDER}/.runtime/compile-cache`);
	await import(programFile('main'));
}

function printVersion(): void {
	try {
		writeSync(1, `${VERSION}\n`);
	} catch {
		// stdout is closed.
	}
}

/** The cache is executed as code, so it lies beside the program and not in a shared folder. */
function keepCompiledCode(folder: string): void {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		module.enableCompileCache(folder);
	} catch {
		// Not writable: the code is compiled every time.
	}
}

// The port that agents report to, remembered so that those who outlive a runner find the next one there.
import { join } from 'node:path';
import type { Result } from '@roost/protocol/result';
import { readPrivateFile, replacePrivateFile } from '../life/private-file.ts';

/** Undefined where none is known: any port will do. */
export function readHookPort(runDir: string): number | undefined {
	const text = readPrivateFile(pathIn(runDir));
	const port = text.ok ? Number(text.value ?? '') : 0;
	return Number.isSafeInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

export function keepHookPort(runDir: string, httpUrl: string): Result<void> {
	return replacePrivateFile(pathIn(runDir), `${new URL(httpUrl).port}\n`);
}

function pathIn(runDir: string): string {
	return join(runDir, 'hook-port');
}

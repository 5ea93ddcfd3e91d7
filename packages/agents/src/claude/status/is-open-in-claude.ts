// Whether a claude that runs right now has a conversation open: such a one says so in its status file.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readStatusFile } from './read-status-file.ts';

export async function isOpenInClaude(configDir: string, nativeId: string): Promise<boolean> {
	for (const pid of await findPids(join(configDir, 'sessions'))) {
		const status = await readStatusFile(configDir, pid);
		if (status?.sessionId === nativeId) return true;
	}
	return false;
}

async function findPids(folder: string): Promise<number[]> {
	// Where there is no such folder, no claude ever wrote there.
	const names = await readdir(folder).catch(() => []);
	return names.flatMap((name) => (/^[1-9]\d{0,9}\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
}

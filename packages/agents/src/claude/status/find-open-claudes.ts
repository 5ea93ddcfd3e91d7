// The claudes that have a conversation open right now, whoever started them: each says so in its status file.
import { isClaudeAlive, readPids, readStatusFileOf } from './read-status-file.ts';

/** Their process ids. What such a claude does is of no matter here, so a status that nobody knows hides none of them. */
export async function findOpenClaudes(configDir: string, nativeId: string): Promise<number[]> {
	const open: number[] = [];
	for (const pid of (await readPids(configDir)).filter((one) => isClaudeAlive(one))) {
		const named = await readStatusFileOf(configDir, pid);
		if (named?.sessionId === nativeId) open.push(pid);
	}
	return open;
}

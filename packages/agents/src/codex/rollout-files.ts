// Conversation files of Codex, found by the id in their names.
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { hasCode } from '@roost/machine/error-code';
import { AppError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import { transcriptLines } from '../base/transcript-files.ts';

export function codexHome(env: Readonly<Record<string, string | undefined>>): string {
	return env.CODEX_HOME || join(env.HOME || homedir(), '.codex');
}

const FOLDERS = ['sessions', 'archived_sessions'];

export async function findRollout(home: string, threadId: string): Promise<string | null> {
	for (const folder of FOLDERS) {
		const found = await findBelow(join(home, folder), `-${threadId}.jsonl`);
		if (found !== null) return found;
	}
	return null;
}

/** In folders by year, month and day. */
async function findBelow(folder: string, ending: string): Promise<string | null> {
	const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((error: unknown) => {
		if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
		throw error;
	});
	const found = entries.find((entry) => entry.isFile() && entry.name.startsWith('rollout-') && entry.name.endsWith(ending));
	return found ? join(found.parentPath, found.name) : null;
}

/** False without a file. */
export function createHasPrompt(env: Readonly<Record<string, string>>): DrivableAgent['hasPrompt'] {
	return async ({ nativeId, prompt }) => {
		// As JSON, so that prompt text, in which quotes are escaped, cannot match.
		const mark = `"client_id":${JSON.stringify(prompt)}`;
		try {
			const path = await findRollout(codexHome(env), nativeId);
			if (path === null) return ok(false);
			for await (const line of transcriptLines(path)) if (line.type === 'line' && line.text.includes(mark)) return ok(true);
			return ok(false);
		} catch (cause) {
			return err(
				cause instanceof AppError ? cause : new AppError('internal', 'The conversations of Codex cannot be read.', { cause }),
			);
		}
	};
}

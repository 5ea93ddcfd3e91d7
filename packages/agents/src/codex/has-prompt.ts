// Whether a conversation of Codex holds a prompt of Roost's: its file keeps the id that the prompt was sent with.
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { AppError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import { transcriptLines } from '../base/transcript-files.ts';
import { codexHome, findRollout } from './rollout-files.ts';

/** A conversation of which there is no file holds nothing. */
export function createHasPrompt(env: Readonly<Record<string, string>>): DrivableAgent['hasPrompt'] {
	return async ({ nativeId, prompt }) => {
		// As JSON, so that the words of a prompt, in which quotes are escaped, never look like it.
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

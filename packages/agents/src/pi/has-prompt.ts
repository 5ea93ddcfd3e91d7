// Whether a Pi conversation contains a prompt of Roost: the gate marks each prompt before it.
import { createHash } from 'node:crypto';
import type { DrivableAgent, OutgoingPrompt } from '@roost/core/runtime/connection';
import { AppError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import { findSessionFile, nativeSessionId, type PiEnv } from './session-files.ts';
import { sessionLines } from './session-lines.ts';

/** Of its id and text; without the text for prompts that Pi expands. */
export function toMark({ id, text }: OutgoingPrompt): string {
	return text.startsWith('/') ? digest(id) : `${digest(id)}:${digest(text)}`;
}

/** False without a file. */
export function createHasPrompt(env: PiEnv): DrivableAgent['hasPrompt'] {
	return async ({ nativeId, cwd, prompt }) => {
		const path = nativeSessionId.safeParse(nativeId).success ? await findSessionFile(env, cwd, nativeId) : undefined;
		if (path === undefined) return ok(false);
		try {
			let awaited: string | undefined;
			for await (const line of sessionLines(path)) {
				const [id, words = ''] = line.type === 'sent' ? line.sent.split(':') : [];
				if (id === digest(prompt)) awaited = words;
				if (line.type === 'prompt' && awaited !== undefined && (awaited === '' || awaited === digest(line.text))) return ok(true);
			}
			return ok(false);
		} catch (cause) {
			return err(
				new AppError('internal', `The conversation ${path} cannot be read: check that it is a file you may read.`, { cause }),
			);
		}
	};
}

function digest(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

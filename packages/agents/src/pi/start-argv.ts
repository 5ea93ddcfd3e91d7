// How a driven Pi is started: its arguments, or the sentence that says why it is not. Nothing of the repository is loaded into it.
import { programFile } from '@roost/core/process/program-files';
import type { DrivenRequest } from '@roost/core/runtime/connection';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { PiConfig } from '../kind/agent-kind.ts';
import { DEFAULT_MODE } from '../live/event-reporter.ts';
import { refuseMode, refuseModel } from '../live/modes.ts';
import { expandModel } from './models.ts';
import { findSessionFile, nativeSessionId, type PiEnv } from './session-files.ts';
import { toNativeNames } from './tools.ts';

/** The conversation it begins with. A copy up to a certain message is made by the gate, once it runs. */
export type Beginning =
	| { type: 'new'; nativeId: string }
	| { type: 'resume'; file: string }
	| { type: 'copy'; file: string; nativeId: string }
	| { type: 'copy-up-to'; file: string; upTo: string };

export function toStartArgv(
	request: Pick<DrivenRequest, 'model' | 'allowedTools'>,
	beginning: Beginning,
	settings: { sessionDir: string; config: PiConfig; extensions: readonly string[] },
): string[] {
	// The gate comes last: it looks at a call as the others left it.
	const extensions = [...settings.extensions, programFile('piGate')].flatMap((path) => ['--extension', path]);
	const model = request.model === undefined ? [] : ['--model', expandModel(request.model, settings.config)];
	const trustNothing = ['--no-approve', '--no-extensions'];
	const folder = ['--session-dir', settings.sessionDir];
	return ['--mode', 'rpc', ...trustNothing, ...extensions, ...folder, ...model, ...toolArgv(request), ...sessionArgv(beginning)];
}

/** What it may not use is not offered to it either. */
function toolArgv({ allowedTools }: Pick<DrivenRequest, 'allowedTools'>): string[] {
	if (allowedTools === undefined) return [];
	const names = toNativeNames(allowedTools).filter((name) => /^[\w-]+$/.test(name));
	return names.length === 0 ? ['--no-tools'] : ['--tools', names.join(',')];
}

function sessionArgv(beginning: Beginning): string[] {
	switch (beginning.type) {
		case 'new':
			return ['--session-id', beginning.nativeId];
		case 'copy':
			return ['--fork', beginning.file, '--session-id', beginning.nativeId];
		case 'resume':
		case 'copy-up-to':
			return ['--session', beginning.file];
	}
}

/** Ids of messages are made by Pi; anything else could be another command. */
const MESSAGE_ID = /^[0-9a-f-]{8,36}$/;

export function refuseRequest({ resume, model, permissionMode }: DrivenRequest): string | null {
	if (resume && !nativeSessionId.safeParse(resume.nativeId).success)
		return 'This is not the id of a conversation with Pi: such an id is a UUID.';
	if (resume?.upTo !== undefined && !MESSAGE_ID.test(resume.upTo)) return 'This is not the id of a message of Pi.';
	if (resume?.upTo !== undefined && !resume.fork) return 'Only a fork can end at an earlier message: fork the session instead.';
	return refuseModel(model) ?? refuseMode(permissionMode ?? DEFAULT_MODE);
}

/** By file: Pi takes an id for the beginning of any id, and asks on its input where it lies in another project. */
export async function findBeginning(
	{ cwd, resume }: Pick<DrivenRequest, 'cwd' | 'resume'>,
	env: PiEnv,
	newId: () => string,
): Promise<Result<Beginning>> {
	if (!resume) return ok({ type: 'new', nativeId: newId() });
	const file = await findSessionFile(env, cwd, resume.nativeId);
	if (file !== undefined) {
		if (!resume.fork) return ok({ type: 'resume', file });
		return ok(
			resume.upTo === undefined ? { type: 'copy', file, nativeId: newId() } : { type: 'copy-up-to', file, upTo: resume.upTo },
		);
	}
	if (!resume.ifMissing)
		return err(
			new AppError('not_found', `Pi keeps no conversation with the id ${resume.nativeId}: start a new session instead.`),
		);
	// It was ended before its first answer, which is when Pi begins to write a conversation down.
	const { copyOf } = resume.ifMissing;
	return await findBeginning({ cwd, resume: copyOf && { ...copyOf, fork: true } }, env, newId);
}

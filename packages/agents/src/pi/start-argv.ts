// Arguments, model names and initial conversation of a driven Pi. Nothing of the repository is loaded.
import { programFile } from '@roost/core/process/program-files';
import type { DrivenRequest } from '@roost/core/runtime/connection';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { PiConfig } from '../kind/agent-kind.ts';
import { DEFAULT_MODE } from '../live/event-reporter.ts';
import { refuseMode, refuseModel } from '../live/gate.ts';
import { findSessionFile, nativeSessionId, type PiEnv } from './session-files.ts';
import { toNativeNames } from './tools.ts';

/** A copy up to a message is made by the gate after the start. */
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
	// The gate comes last, after changes by other extensions.
	const extensions = [...settings.extensions, programFile('piGate')].flatMap((path) => ['--extension', path]);
	const model = request.model === undefined ? [] : ['--model', expandModel(request.model, settings.config)];
	const trustNothing = ['--no-approve', '--no-extensions'];
	const folder = ['--session-dir', settings.sessionDir];
	return ['--mode', 'rpc', ...trustNothing, ...extensions, ...folder, ...model, ...toolArgv(request), ...sessionArgv(beginning)];
}

/** Tools that are not allowed are not offered. */
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

/** Anything else could be another command. */
const MESSAGE_ID = /^[0-9a-f-]{8,36}$/;

export function refuseRequest({ resume, model, permissionMode }: DrivenRequest): string | null {
	if (resume && !nativeSessionId.safeParse(resume.nativeId).success)
		return 'This is not the id of a conversation with Pi: such an id is a UUID.';
	if (resume?.upTo !== undefined && !MESSAGE_ID.test(resume.upTo)) return 'This is not the id of a message of Pi.';
	if (resume?.upTo !== undefined && !resume.fork) return 'Only a fork can end at an earlier message: fork the session instead.';
	return refuseModel(model) ?? refuseMode(permissionMode ?? DEFAULT_MODE);
}

/** By file: Pi matches id prefixes, and asks on stdin for conversations of other projects. */
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
	// It ended before its first response, when Pi would have stored it.
	const { copyOf } = resume.ifMissing;
	return await findBeginning({ cwd, resume: copyOf && { ...copyOf, fork: true } }, env, newId);
}

export const PI_MODELS: Readonly<Record<string, string>> = {
	opus: 'claude-opus-5-5',
	sonnet: 'claude-sonnet-5',
	haiku: 'claude-haiku-4-5',
};

/** Other names belong to the configured provider; without one Pi selects it. */
export function expandModel(name: string, { provider, modelMap = {} }: PiConfig = {}): string {
	const mapped = Object.hasOwn(modelMap, name) ? modelMap[name] : undefined;
	const alias = mapped === undefined && Object.hasOwn(PI_MODELS, name) ? PI_MODELS[name] : undefined;
	const meant = mapped ?? alias ?? name;
	if (meant.includes('/')) return meant;
	const owner = provider ?? (alias === undefined ? undefined : 'anthropic');
	return owner === undefined ? meant : `${owner}/${meant}`;
}

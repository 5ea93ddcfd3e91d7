// With which conversation a driven Pi begins: a new one, an earlier one, or a copy of it.
import type { DrivenRequest } from '@roost/core/runtime/connection';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { findSessionFile, type PiEnv } from './session-files.ts';
import type { Beginning } from './start-argv.ts';

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

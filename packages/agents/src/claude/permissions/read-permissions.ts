// The permission rules in the user's own settings of Claude, as rules of Roost. Those of a repository are not read: it decides nothing.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { UserPermissions } from '../../kind/agent-kind.ts';
import { readJson, valueAt } from '../../repository/json-file.ts';
import { claudeConfigFolder } from '../transcript/transcript-folders.ts';
import { translatePermission } from './translate-permission.ts';

const MOST_BYTES = 1024 * 1024;

export async function readClaudePermissions(env: NodeJS.ProcessEnv): Promise<Result<UserPermissions>> {
	const file = join(claudeConfigFolder(env), 'settings.json');
	const read = await readJson(file, { mostBytes: MOST_BYTES });
	if (read.kind === 'absent')
		return err(new AppError('not_found', `${file} not found. There are no permission rules to import.`));
	if (read.kind === 'refused') return err(new AppError('bad_request', `${file} cannot be read because ${read.why}.`));
	const found: UserPermissions = { file, rules: [], skipped: [] };
	for (const decision of ['deny', 'ask', 'allow'] as const) {
		const texts = z
			.array(z.string())
			.optional()
			.safeParse(valueAt(read.value, 'permissions', decision));
		if (!texts.success) return err(new AppError('bad_request', `permissions.${decision} in ${file} is not a list of texts.`));
		for (const text of texts.data ?? []) {
			const translated = translatePermission(decision, text, env.HOME || homedir());
			if ('skipped' in translated) found.skipped.push({ decision, text, why: translated.skipped });
			else found.rules.push(...translated.rules);
		}
	}
	return ok(found);
}

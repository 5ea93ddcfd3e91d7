// The permission rules in the user's own settings of Claude, as rules of Roost. Those of a repository are not read: it decides nothing.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type TranslatedRule, translatePermission } from '@roost/agents/claude/permissions/translate-permission';
import { readJson, valueAt } from '@roost/agents/claude/sdk/json-file';
import { claudeConfigFolder } from '@roost/agents/claude/transcript/transcript-folders';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';

export type ClaudePermissions = {
	file: string;
	rules: TranslatedRule[];
	/** `Read(./x)`, and why. */
	skipped: { decision: TranslatedRule['decision']; text: string; why: string }[];
};

const MOST_BYTES = 1024 * 1024;

export async function readClaudePermissions(env: NodeJS.ProcessEnv): Promise<Result<ClaudePermissions>> {
	const file = join(claudeConfigFolder(env), 'settings.json');
	const read = await readJson(file, { mostBytes: MOST_BYTES });
	if (read.kind === 'absent')
		return err(new AppError('not_found', `${file} not found. There are no permission rules to import.`));
	if (read.kind === 'refused') return err(new AppError('bad_request', `${file} cannot be read because ${read.why}.`));
	const found: ClaudePermissions = { file, rules: [], skipped: [] };
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

// What is typed about rules: a new rule, and a call to try the rules on.

import type { World } from '@roost/client/world/world';
import type { RuleBody, RuleTestBody } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { ruleDecision, ruleScope } from '@roost/protocol/rule';
import { parseObject } from '../../output/parse-object.ts';
import { choiceLine, type Form, textLine, valueIn } from '../parts/form.ts';
import { fieldWith } from '../parts/text-field.ts';

export type AddForm = Form<'decision' | 'tool' | 'pattern' | 'scope'>;
export type TestForm = Form<'tool' | 'input'>;

/** Narrow before wide: a rule for this project harms no other. */
const SCOPES = ['project', 'session', 'user'];

export const ADD_START: AddForm = {
	at: 0,
	lines: [
		choiceLine('decision', 'Decision', ['deny', 'ask', 'allow']),
		textLine('tool', 'Tool', fieldWith('Bash')),
		textLine('pattern', 'Pattern'),
		choiceLine('scope', 'Where', SCOPES),
	],
};

export const TEST_START: TestForm = { at: 1, lines: [textLine('tool', 'Tool', fieldWith('Bash')), textLine('input', 'Input')] };

export function toRule(form: AddForm, { open, project }: World): Result<RuleBody> {
	const tool = valueIn(form, 'tool');
	const argsPattern = valueIn(form, 'pattern');
	const scope = ruleScope.parse(valueIn(form, 'scope'));
	if (tool === '') return err(new AppError('usage', 'Name a tool, such as Bash or mcp__github__*.'));
	if (scope === 'session' && !open) return err(new AppError('usage', 'No session is open: let the rule count for the project.'));
	const scopeIds = { session: open?.id, project: project.path, user: undefined };
	const scopeId = scopeIds[scope];
	return ok({
		decision: ruleDecision.parse(valueIn(form, 'decision')),
		tool,
		scope,
		...(argsPattern === '' ? {} : { argsPattern }),
		...(scopeId === undefined ? {} : { scopeId }),
	});
}

/** As it would be judged in the session that is open. */
export function toRuleTest(form: TestForm, { open, project }: World): Result<RuleTestBody> {
	const tool = valueIn(form, 'tool');
	if (tool === '') return err(new AppError('usage', 'Name a tool, such as Bash or mcp__github__create_issue.'));
	const input = toInput(tool, valueIn(form, 'input'));
	if (!input.ok) return input;
	return ok({ tool, input: input.value, projectId: project.path, ...(open ? { sessionId: open.id } : {}) });
}

function toInput(tool: string, text: string): Result<Record<string, unknown>> {
	if (tool === 'Bash' && text !== '' && !text.startsWith('{')) return ok({ command: text });
	const takes = 'Write the input as a JSON object, such as {"file_path": "src/main.ts"}; for Bash the command is enough.';
	return parseObject(text, takes);
}

// roost rules test: one call against the rules there are, or a rule that is not there yet against the calls on record.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { RuleTestResult } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import { fail } from '../output/exit.ts';
import { parseObject } from '../output/parse-object.ts';
import { toHistoryText } from '../output/rule-history.ts';
import { ruleInWords } from '../output/rule-table.ts';
import { toTable } from '../output/table.ts';
import { connectOrStart } from '../runner/connect.ts';
import { projectHere, type RuleOptions, toRuleBody } from './rules.ts';

export type TestOptions = RuleOptions & {
	tool: string;
	input?: string;
	history?: boolean;
	decision?: string;
	calls: string;
	json?: boolean;
};

export async function testRules(options: TestOptions): Promise<void> {
	return options.history ? testHistory(options) : testCall(options);
}

async function testHistory({ decision, tool, calls, ...options }: TestOptions): Promise<void> {
	if (decision === undefined) return fail(new AppError('usage', '--history needs a --decision: allow, deny or ask.'), options);
	if (options.input !== undefined)
		return fail(new AppError('usage', '--history tries a rule, not a call: leave out --input.'), options);
	const count = Number(calls);
	const isCount = Number.isInteger(count) && count >= 1 && count <= MOST_CALLS;
	if (!isCount) return fail(new AppError('usage', `--calls takes a whole number from 1 to ${MOST_CALLS}.`), options);
	const rule = await toRuleBody(decision, tool, options);
	if (!rule.ok) return fail(rule.error, options);
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const history = await connected.value.api.rules.history({ rule: rule.value, calls: count });
	if (!history.ok) return fail(history.error, options);
	process.stdout.write(options.json ? `${JSON.stringify(history.value)}\n` : `${toHistoryText(history.value)}\n`);
}

const MOST_CALLS = 5_000;

async function testCall(options: TestOptions): Promise<void> {
	if (options.input === undefined) {
		return fail(
			new AppError('usage', 'Say what to test: --input with the input of a call, or --history with a --decision.'),
			options,
		);
	}
	const input = parseObject(options.input, '--input takes the input of the call as a JSON object.');
	if (!input.ok) return fail(input.error, options);
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const project = await projectHere();
	const result = await connected.value.api.rules.test({ tool: options.tool, input: input.value, projectId: project.path });
	if (!result.ok) return fail(result.error, options);
	process.stdout.write(options.json ? `${JSON.stringify(result.value)}\n` : `${inWords(result.value, Date.now())}\n`);
}

function inWords({ decision, rule, rules, why, parts = [] }: RuleTestResult, now: number): string {
	const by = rules ?? (rule ? [rule] : []);
	const because = why === undefined ? '' : `\n${rule ? 'The rule may apply' : 'The rules do not add up'}: ${sanitiseLine(why)}.`;
	const list = by.map((each) => ruleInWords(each, now)).join('; ');
	const verdict = by.length === 0 ? UNDECIDED : `${decision}, by rule${by.length > 1 ? 's' : ''} ${list}`;
	if (parts.length === 0) return `${verdict}${because}`;
	const cells = parts.map((part) => [part.decision, part.text, part.rule ? ruleInWords(part.rule, now) : NOT_COVERED]);
	return `${verdict}${because}\n\n${toTable(['DECISION', 'PART', 'RULE'], cells)}`;
}

const UNDECIDED = 'No rule decides: you would be asked.';
const NOT_COVERED = 'no rule';

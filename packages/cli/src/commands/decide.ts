// roost allow, deny, answer: decide requests from any terminal that does not belong to an agent.
import type { Reply } from '@roost/client/api-call';
import type { ApiClient } from '@roost/client/api-client';
import { ruleInWords } from '@roost/core/rules/rule-words';
import { questionTexts, refuseAnswers } from '@roost/core/session/answers';
import { askTitle } from '@roost/core/views/ask-title';
import type { ApproveBody, ApprovedAsk } from '@roost/protocol/api/answers';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow } from '@roost/protocol/ask';
import { err, ok, type Result } from '@roost/protocol/result';
import { ruleScope } from '@roost/protocol/rule';
import { hubOfAllRunners } from '../hub/target.ts';
import { fail, unwrap } from '../output/exit.ts';
import { parseDuration, parseObject } from '../output/parse-input.ts';
import { print } from '../output/print.ts';
import { connectToDecide, refuseAgents } from '../runner/connect.ts';
import type { FoundAsk } from './asks-at-hub.ts';
import { findAsk, noSuchAsk } from './find-ask.ts';

type Always = { always?: string; for?: string; pattern?: string[]; json?: boolean };

export async function allow(given: string, options: Always & { input?: string }): Promise<void> {
	const input = unwrap(parseInput(options.input));
	await decide('allow', given, options, (ask) => ({
		askId: ask.id,
		nonce: ask.nonce,
		decision: 'allow',
		modifiedInput: input,
	}));
}

export async function deny(given: string, options: Always & { message?: string; interrupt?: boolean }): Promise<void> {
	await decide('deny', given, options, (ask) => ({
		askId: ask.id,
		nonce: ask.nonce,
		decision: 'deny',
		denyMessage: options.message,
		interrupt: options.interrupt,
	}));
}

export async function answer(given: string, { set = [], ...options }: { set?: string[]; json?: boolean }): Promise<void> {
	if (set.length === 0 || set.some((pair) => pair.indexOf('=') < 1)) {
		throw new AppError('usage', 'Answer with --set "Question=Answer", once for each question.');
	}
	await onAsk('answer', given, options, async (api, ask, shown) => {
		const pairs = set.map((pair) => splitPair(pair, ask));
		const asked = pairs.map(([question]) => question);
		// The runner checks this too, but cannot see that a question was answered twice.
		const refused = ask.state === 'pending' ? refuseAnswers(ask, asked) : null;
		if (refused) return err(refused);
		const answers = Object.fromEntries(pairs);
		return await api.asks.answer({ id: ask.sessionId, askId: ask.id, nonce: ask.nonce, answers, ...shown });
	});
}

/** A question may contain an equals sign. */
function splitPair(pair: string, ask: AskRow): [question: string, answer: string] {
	const asked = [...questionTexts(ask)].filter((text) => pair.startsWith(`${text}=`)).sort((a, b) => b.length - a.length)[0];
	const end = asked?.length ?? pair.indexOf('=');
	return [pair.slice(0, end), pair.slice(end + 1)];
}

async function decide(
	command: ApproveBody['decision'],
	given: string,
	options: Always,
	toBody: (ask: AskRow) => ApproveBody,
): Promise<void> {
	const persisted = unwrap(toPersisted(options));
	await onAsk(command, given, options, (api, ask, shown) =>
		api.asks.approve({ id: ask.sessionId, ...toBody(ask), ...persisted, ...shown }),
	);
}

/** The rules to add; without a pattern the runner suggests them. */
function toPersisted(options: Always): Result<Pick<ApproveBody, 'persist' | 'scope' | 'rules' | 'forMs'>> {
	if (options.always === undefined && options.for === undefined)
		return options.pattern ? err(new AppError('usage', '--pattern needs --always or --for.')) : ok({});
	const scope = ruleScope.safeParse(options.always ?? 'session');
	if (!scope.success) return err(new AppError('usage', `--always takes session, project or user; it was "${options.always}".`));
	const duration = options.for === undefined ? ok(undefined) : parseDuration(options.for, '--for');
	if (!duration.ok) return duration;
	const rules = options.pattern && { rules: options.pattern.map((argsPattern) => ({ argsPattern })) };
	return ok({ persist: true, scope: scope.data, ...rules, ...(duration.value !== undefined && { forMs: duration.value }) });
}

async function onAsk(
	command: string,
	given: string,
	options: { json?: boolean },
	send: (api: ApiClient, ask: AskRow, shown: { shown?: string }) => Promise<Reply<ApprovedAsk>>,
): Promise<void> {
	const { api, ask, toShown } = unwrap(await findToDecide(command, given));
	const decided = await send(api, ask, toShown ? { shown: await toShown(ask) } : {});
	if (!decided.ok) return fail(decided.error, options, { winner: decided.winner });
	const { state, rules = [] } = decided.value;
	const lines = [`${state}: ${askTitle(decided.value)}`, ...rules.map((rule) => `Rule ${ruleInWords(rule, Date.now())}`)];
	await print(options, decided.value, lines);
}

async function findToDecide(command: string, given: string): Promise<Result<FoundAsk>> {
	const hub = hubOfAllRunners();
	if (hub !== undefined) {
		const refused = await refuseAgents(command, { start: false });
		if (!refused.ok) return refused;
		const asks = (await import('./asks-at-hub.ts')).openAsksAtHub(hub);
		return asks.ok ? await asks.value.find(given) : asks;
	}
	const connected = await connectToDecide(command, { start: false });
	if (!connected.ok) return connected;
	if (!connected.value) return err(noSuchAsk(given));
	const { api, toShown } = connected.value;
	const ask = await findAsk(api, given);
	return ask.ok ? ok({ api, toShown, ask: ask.value }) : ask;
}

function parseInput(text: string | undefined): Result<Record<string, unknown> | undefined> {
	return text === undefined ? ok(undefined) : parseObject(text, '--input takes the whole edited input as a JSON object.');
}

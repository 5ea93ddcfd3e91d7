// Every kind of answer leaves the same facts from a page as from the command line, byte by byte, except ids, times and the face.
import { type Rule, rule } from '@roost/protocol/rule';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { type Asking, openAsking } from '../rigs/web/asking.ts';
import { type OpenedPage, openPage } from '../rigs/web/open-page.ts';

type Answer = {
	readonly tool: string;
	readonly input: object;
	/** The arguments of `roost`, after the command and the ask. */
	readonly command: readonly [string, ...string[]];
	inPage(card: Locator): Promise<void>;
};

const BASH = { tool: 'Bash', input: { command: 'npm test', description: 'Run the tests' } };
const COLOUR = {
	question: 'Which colour?',
	header: 'Colour',
	multiSelect: false,
	options: [{ label: 'Red' }, { label: 'Blue' }],
};
const question = (over: object = {}) => ({ tool: 'AskUserQuestion', input: { questions: [{ ...COLOUR, ...over }] } });
const pick = (card: Locator, words: string) => card.getByLabel(words, { exact: true }).check();
const press = (card: Locator, words: string) => card.locator(`button:text-is("${words}")`).click();

async function always(card: Locator, scope: string, decision = 'allow'): Promise<void> {
	await press(card, 'Always…');
	await pick(card, decision);
	await pick(card, scope);
	await press(card, `Always ${decision}`);
}

const ANSWERS: Readonly<Record<string, Answer>> = {
	allow: { ...BASH, command: ['allow'], inPage: (card) => press(card, 'Allow once') },
	deny: { ...BASH, command: ['deny'], inPage: (card) => press(card, 'Deny') },
	'deny with a message': {
		...BASH,
		command: ['deny', '--message', 'not "today",\n  <b>please</b>'],
		async inPage(card) {
			await press(card, 'Deny with message…');
			await card.locator('textarea').fill('not "today",\n  <b>please</b>');
			await press(card, 'Deny');
		},
	},
	'deny and interrupt': {
		...BASH,
		command: ['deny', '--message', 'stop', '--interrupt'],
		async inPage(card) {
			await press(card, 'Deny with message…');
			await card.locator('textarea').fill('stop');
			await press(card, 'Deny and interrupt');
		},
	},
	'edit the input': {
		...BASH,
		command: ['allow', '--input', JSON.stringify({ command: 'npm test -- --bail', description: 'Run the tests' })],
		async inPage(card) {
			await press(card, 'Edit…');
			await card.locator('textarea').fill('npm test -- --bail');
			await press(card, 'Allow this input');
		},
	},
	'always allow in the session': {
		...BASH,
		command: ['allow', '--always', 'session'],
		inPage: (card) => always(card, 'this session'),
	},
	'always allow in the project': {
		...BASH,
		command: ['allow', '--always', 'project'],
		inPage: (card) => always(card, 'this project'),
	},
	'always allow for the user': {
		...BASH,
		command: ['allow', '--always', 'user'],
		inPage: (card) => always(card, 'all my projects'),
	},
	'always deny in the project': {
		...BASH,
		command: ['deny', '--always', 'project'],
		inPage: (card) => always(card, 'this project', 'deny'),
	},
	'choose one answer': {
		...question(),
		command: ['answer', '--set', 'Which colour?=Blue'],
		async inPage(card) {
			await pick(card, 'Blue');
			await press(card, 'Send answer');
		},
	},
	'choose several answers': {
		...question({ multiSelect: true }),
		command: ['answer', '--set', 'Which colour?=Red, Blue'],
		async inPage(card) {
			await pick(card, 'Blue');
			await pick(card, 'Red');
			await press(card, 'Send answer');
		},
	},
	'answer in own words': {
		...question(),
		command: ['answer', '--set', 'Which colour?=Green, "of course"'],
		async inPage(card) {
			await card.locator('input[type="text"]').fill('Green, "of course"');
			await press(card, 'Send answer');
		},
	},
};

describe.skipIf(cannotRun([program('chromium')]))('answer from a page', { timeout: 120_000 }, () => {
	let chromium: Chromium;
	let roost: RunnerProcess;
	let opened: OpenedPage;
	beforeAll(async () => {
		[chromium, roost] = await Promise.all([startChromium(), startRunnerProcess()]);
		opened = await openPage(chromium, roost);
	}, 60_000);
	afterAll(async () => {
		await chromium[Symbol.asyncDispose]();
		await roost[Symbol.asyncDispose]();
	});

	it.each(Object.entries(ANSWERS))('%s: leaves the same facts as the command line', async (_, answer) => {
		const [fromPage, fromTerminal] = [
			await leave(roost, answer, (asking) => answerInPage(opened, asking, answer)),
			await leave(roost, answer, (asking) => answerByCommand(roost, asking, answer)),
		];
		expect(fromPage.split('\n').length).toBeGreaterThanOrEqual(2);
		expect(fromPage).toBe(fromTerminal);
		expect(opened.complaints).toEqual([]);
	});
});

/** At its own address: in the list, the card before it would disappear in the middle, and a card that moved takes no answer. */
async function answerInPage({ page, go }: OpenedPage, asking: Asking, { inPage }: Answer): Promise<void> {
	const { id } = await asking.pending();
	await go(`/?ask=${id}`);
	await inPage(page.locator(`dialog [data-ask="${id}"]`));
}

async function answerByCommand(roost: RunnerProcess, asking: Asking, { command: [verb, ...options] }: Answer): Promise<void> {
	const exit = await roost.roost(verb, (await asking.pending()).id, ...options);
	expect(exit, exit.stderr).toMatchObject({ code: 0 });
}

/** What an answer leaves: the facts of the session, its rules, and the reply to the agent. The rules are removed. */
async function leave(
	roost: RunnerProcess,
	{ tool, input, command }: Answer,
	answer: (asking: Asking) => Promise<void>,
): Promise<string> {
	const asking = await openAsking(roost);
	const reply = asking.ask(tool, input);
	await answer(asking);
	const { body } = await reply;
	// A rule is added after the answer, because only the first answer adds one.
	const rules = await waitFor(() => rulesOf(roost, command.includes('--always') ? 1 : 0), { what: 'the rule' });
	for (const { id } of rules) expect((await roost.call('DELETE', `/api/v1/rules/${id}`)).status).toBe(200);
	const facts = (await asking.events()).filter(({ kind }) => DECIDED.has(kind));
	return [...facts, ...rules, body].map((one) => withoutIds(JSON.stringify(one), asking)).join('\n');
}

async function rulesOf(roost: RunnerProcess, count: number): Promise<Rule[] | undefined> {
	const rules = rule.array().parse(JSON.parse((await roost.call('GET', '/api/v1/rules')).body));
	return rules.length === count ? rules : undefined;
}

const DECIDED = new Set(['permission.decision', 'question.answer', 'run.end', 'stop.decision']);

function withoutIds(json: string, { sessionId }: Asking): string {
	return (
		json
			.replaceAll(sessionId, '<session>')
			.replaceAll(/"(?:ts|createdAt|seq)":\d+/g, '"<time>"')
			.replaceAll(/"id":"[\w-]+"/g, '"id":"<id>"')
			.replaceAll(/"hook_request_id":"[\w-]+"/g, '"hook_request_id":"<id>"')
			.replaceAll(/@(?:cli|web:[\w-]+)/g, '@<face>')
			.replaceAll(/"peer":"process \d+"/g, '"peer":"<process>"')
			// Only a program without a device of its own names its face.
			.replaceAll('"claimed_face":"cli",', '')
	);
}

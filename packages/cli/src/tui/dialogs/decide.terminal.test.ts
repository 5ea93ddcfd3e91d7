import { askRow } from '@roost/protocol/ask';
import { rule } from '@roost/protocol/rule';
import { askToUse, type RunnerProcess, startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { KEYS, openTui, pressUntil } from '@roost/testkit/rigs/tui/tui-rig';
import { describe, expect, it } from 'vitest';

describe('decisions in a real terminal', () => {
	it('delivers allow, edit, deny with a message and a new rule to the agent', async () => {
		await using world = await openWorld();
		const { tui, wants } = world;

		const once = wants('make 1');
		await tui.waitForScreen(/── Permission[\s\S]*\$ make 1/);
		await pressUntil(tui, 'y', (screen) => !screen.includes('── Permission'));
		expect(await once).toEqual({ behavior: 'allow' });

		const edited = wants('make 2');
		await tui.waitForScreen(/── Permission[\s\S]*\$ make 2/);
		await pressUntil(tui, 'e', (screen) => screen.includes('Enter allows it'));
		tui.type(`${KEYS.ctrl('u')}make safe${KEYS.enter}`);
		expect(await edited).toEqual({ behavior: 'allow', updatedInput: { command: 'make safe' } });

		const denied = wants('make 3');
		await tui.waitForScreen(/── Permission[\s\S]*\$ make 3/);
		await pressUntil(tui, 'm', (screen) => screen.includes('Reason for the agent:'));
		tui.type(`why? say yes first${KEYS.enter}`);
		expect(await denied).toEqual({ behavior: 'deny', message: 'why? say yes first' });

		const always = wants('npm test --watch');
		await tui.waitForScreen(/── Permission[\s\S]*\$ npm test --watch/);
		await pressUntil(tui, 'a', (screen) => screen.includes('The rule: allow Bash npm test * in this session'));
		tui.type(KEYS.enter);
		expect(await always).toEqual({ behavior: 'allow' });
		expect(await rulesOf(world.roost)).toMatchObject([{ tool: 'Bash', argsPattern: 'npm test *', scope: 'session' }]);
		expect(await wants('npm test again')).toMatchObject({ behavior: 'allow' });
	});

	it('keeps the request pending on Esc and shows who decided it elsewhere', async () => {
		await using world = await openWorld();
		const { tui, roost, wants } = world;
		const reply = wants('make love');
		await tui.waitForScreen(/── Permission[\s\S]*\$ make love/);
		tui.type(KEYS.escape);
		await tui.waitForScreen((screen) => !screen.includes('── Permission'));
		const [ask] = await asksOf(roost);
		expect(ask).toMatchObject({ state: 'pending' });
		await pressUntil(tui, 'a', (screen) => screen.includes('── Permission'));
		// The notice disappears after a few seconds, and the command may take as long to exit.
		const [denied] = await Promise.all([
			roost.roost('deny', ask?.id ?? '', '--message', 'not war'),
			tui.waitForScreen(/@cli denied Bash "make love"/),
		]);
		expect(denied).toMatchObject({ code: 0 });
		expect(await reply).toEqual({ behavior: 'deny', message: 'not war' });
	});

	it('sends multi-select and free-text answers, and an empty answer when none is chosen', async () => {
		await using world = await openWorld();
		const { tui } = world;
		const reply = world.asks(QUESTIONS);
		await tui.waitForScreen(/Which colours\?/);
		await pressUntil(tui, ' ', (screen) => /☑ Red/.test(screen));
		tui.type(`jj ${KEYS.enter}`);
		await tui.waitForScreen(/What name\?/);
		tui.type(`${KEYS.down}${KEYS.enter}`);
		await tui.waitForScreen(/Your own answer/);
		tui.type(`Bea${KEYS.enter}`);
		await tui.waitForScreen((screen) => screen.includes('Red, Blue') && screen.includes('Bea'));
		tui.type(KEYS.enter);
		expect((await reply).updatedInput?.answers).toEqual({ 'Which colours?': 'Red, Blue', 'What name?': 'Bea' });

		const silent = world.asks(QUESTIONS.slice(1));
		await tui.waitForScreen((screen) => /☐ No answer/.test(screen));
		await pressUntil(tui, '3', (screen) => !screen.includes('── Question'));
		expect((await silent).updatedInput?.answers).toEqual({});
	});
});

const QUESTIONS = [
	{
		question: 'Which colours?',
		multiSelect: true,
		options: [{ label: 'Red', description: 'warm' }, { label: 'Green' }, { label: 'Blue' }],
	},
	{ question: 'What name?', options: [{ label: 'Ada' }] },
];

async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const roost = stack.use(await startRunnerProcess());
	const agent = await roost.openLaunch({ headless: false });
	const tui = stack.use(openTui({ cwd: roost.folder, env: roost.env, columns: 100, rows: 30 }));
	await tui.waitForScreen(/live/);
	const owned = stack.move();
	return {
		roost,
		tui,
		wants: (command: string) => askToUse(agent, 'Bash', { command }),
		asks: (questions: unknown) => askToUse(agent, 'AskUserQuestion', { questions }),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function asksOf(roost: RunnerProcess) {
	return askRow.array().parse(JSON.parse((await roost.call('GET', '/api/v1/asks')).body));
}

async function rulesOf(roost: RunnerProcess) {
	return rule.array().parse(JSON.parse((await roost.call('GET', '/api/v1/rules')).body));
}

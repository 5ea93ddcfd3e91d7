import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rule } from '@roost/protocol/rule';
import { askToUse, startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { KEYS, openTui } from '@roost/testkit/rigs/tui/tui-rig';
import { describe, expect, it } from 'vitest';

describe('panels in a real terminal with a real runner', () => {
	it('switch between sessions and open one from a search hit', async () => {
		await using world = await openWorld();
		const { tui, heron, stork } = world;
		tui.type(`:sessions${KEYS.enter}`);
		await tui.waitForScreen((screen) => screen.includes('2 sessions of') && screen.includes(heron) && screen.includes(stork));
		tui.type(`/${heron}${KEYS.enter}`);
		await tui.waitForScreen((screen) => isOpen(screen, heron) && screen.includes('paint a heron'));
		tui.type('S');
		await tui.waitForScreen(/── Search all sessions/);
		tui.type(`stork${KEYS.enter}`);
		await tui.waitForScreen(/\d+ hits?, the newest first/);
		tui.type(KEYS.enter);
		await tui.waitForScreen((screen) => isOpen(screen, stork) && screen.includes('paint a stork'));
	});

	it('add, test and remove a rule', async () => {
		await using world = await openWorld();
		const { tui } = world;
		tui.type(`:rules${KEYS.enter}`);
		await tui.waitForScreen(/allow user +Bash +any/);
		tui.type('+');
		await tui.waitForScreen(/New rule/);
		tui.type(`${KEYS.down}${KEYS.down}git push *${KEYS.enter}`);
		await tui.waitForScreen(/deny +project +Bash +git push \*/);
		expect(await world.rules()).toMatchObject([{ decision: 'allow' }, { decision: 'deny', argsPattern: 'git push *' }]);
		tui.type('t');
		await tui.waitForScreen(/Test a call/);
		tui.type(`git push -f${KEYS.enter}`);
		await tui.waitForScreen(/by the rule: deny Bash git push \* \(project\)/);
		tui.type(KEYS.escape);
		await tui.waitForScreen((screen) => !screen.includes('Test a call'));
		tui.type('Gx');
		await tui.waitForScreen(/Remove the rule: deny Bash git push \* \(project\)\? \[y\/N\]/);
		tui.type('y');
		await tui.waitForScreen((screen) => !screen.includes('git push'));
		expect(await world.rules()).toMatchObject([{ decision: 'allow' }]);
	});

	it('export the session to a new file, complete commands and show help', async () => {
		await using world = await openWorld();
		const { tui } = world;
		tui.type(':exp');
		await tui.waitForScreen(/export \[file\]/);
		tui.type(`\tout.jsonl${KEYS.enter}`);
		await tui.waitForScreen(/Wrote \d+ events to/);
		const [head] = (await readFile(join(world.folder, 'out.jsonl'), 'utf8')).split('\n');
		expect(JSON.parse(head ?? '')).toMatchObject({ export: 1 });
		tui.type(`:${KEYS.up}${KEYS.enter}`);
		await tui.waitForScreen(/exists or cannot be written: name a new file/);
		tui.type(`:help${KEYS.enter}`);
		await tui.waitForScreen(/── Help[\s\S]* Feed +Everywhere/);
	});
});

/** Two sessions, each with one call allowed by a rule. */
async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const roost = stack.use(await startRunnerProcess());
	await roost.call('POST', '/api/v1/rules', { tool: 'Bash', decision: 'allow', scope: 'user' });
	const sessions: string[] = [];
	for (const command of ['paint a heron', 'paint a stork']) {
		const agent = await roost.openLaunch({ headless: false });
		await askToUse(agent, 'Bash', { command }, randomUUID());
		sessions.push(agent.sessionId);
	}
	const [heron = '', stork = ''] = sessions;
	const tui = stack.use(openTui({ cwd: roost.folder, env: roost.env, columns: 100, rows: 30 }));
	await tui.waitForScreen(/live/);
	await tui.waitForScreen(/paint a/);
	const owned = stack.move();
	return {
		tui,
		heron,
		stork,
		folder: roost.folder,
		rules: async () => rule.array().parse(JSON.parse((await roost.call('GET', '/api/v1/rules')).body)),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function isOpen(screen: string, session: string): boolean {
	return screen.split('\n')[0]?.includes(session) === true;
}

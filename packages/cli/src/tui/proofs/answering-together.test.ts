// Two terminal UIs and a command answer the same ask at the same moment: one decides, the others report who did.
import { askRow } from '@roost/protocol/ask';
import { askToUse, startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { openTui, pressUntil } from '@roost/testkit/rigs/tui/tui-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { expect, it } from 'vitest';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 20 : 2;

it('accepts one of three simultaneous answers, closes every dialog and shows losers who was first', {
	timeout: 120_000 * ROUNDS,
}, async () => {
	await using roost = await startRunnerProcess();
	const agent = await roost.openLaunch({ headless: false });
	const place = { cwd: roost.folder, env: roost.env, columns: 100, rows: 30 };
	await using one = openTui(place);
	await using other = openTui(place);
	const uis = [one, other];
	for (const tui of uis) await tui.waitForScreen(/live/);
	for (let round = 0; round < ROUNDS; round += 1) {
		const command = `make ${round}`;
		const received = askToUse(agent, 'Bash', { command });
		for (const tui of uis) await tui.waitForScreen(new RegExp(`── Permission[\\s\\S]*\\$ ${command}`));
		const [ask] = await asks();
		const before = new Map(uis.map((tui) => [tui, tui.bytes().length]));
		// One allows, one denies, and a command allows, as simultaneously as processes can be.
		const byCommand = roost.roost('allow', ask?.id ?? '');
		await Promise.all([pressUntil(one, 'y', isDecided), pressUntil(other, 'n', isDecided)]);
		const exit = await byCommand;
		const decided = (await asks(true)).find(({ id }) => id === ask?.id);
		expect(await received).toMatchObject({ behavior: decided?.state === 'allowed' ? 'allow' : 'deny' });
		expect(decided?.state).toMatch(/^(allowed|denied)$/);
		if (exit.code !== 0) expect(exit.stderr).toMatch(/@/);
		const winner = decided?.decidedBy?.endsWith('@tui') ? (decided.state === 'allowed' ? one : other) : undefined;
		const reported = new RegExp(`@\\w+ (was first: (allowed|denied)|(allowed|denied) Bash "${command}")`);
		for (const tui of uis.filter((ui) => ui !== winner)) {
			const saying = () => (reported.test(tui.bytes().slice(before.get(tui))) ? true : undefined);
			await waitFor(saying, {
				what: 'the loser to report the winner',
				seen: () => `\n${tui.terminal.text()}`,
			});
		}
		const decisions = await decisionsOf(ask?.sessionId ?? '', ask?.id ?? '');
		expect(decisions).toHaveLength(1);
	}

	async function asks(all = false) {
		return askRow.array().parse(JSON.parse((await roost.call('GET', `/api/v1/asks${all ? '?all=true' : ''}`)).body));
	}

	async function decisionsOf(session: string, ask: string) {
		const lines: { event: { kind: string; data: { ask_id?: string } } }[] = JSON.parse(
			(await roost.call('GET', `/api/v1/sessions/${session}/events?limit=1000`)).body,
		);
		return lines.filter(({ event }) => event.kind === 'permission.decision' && event.data.ask_id === ask);
	}
});

it('closes the dialog of a second terminal UI and shows there who decided', { timeout: 120_000 }, async () => {
	await using roost = await startRunnerProcess();
	const agent = await roost.openLaunch({ headless: false });
	const place = { cwd: roost.folder, env: roost.env, columns: 100, rows: 30 };
	await using one = openTui(place);
	await using other = openTui(place);
	for (const tui of [one, other]) await tui.waitForScreen(/live/);
	const received = askToUse(agent, 'Bash', { command: 'make haste' });
	for (const tui of [one, other]) await tui.waitForScreen(/── Permission/);
	await pressUntil(one, 'n', isDecided);
	await other.waitForScreen((screen) => /@tui denied Bash "make haste"/.test(screen) && !screen.includes('── Permission'));
	expect(await received).toMatchObject({ behavior: 'deny' });
});

function isDecided(screen: string): boolean {
	return !screen.includes('── Permission');
}

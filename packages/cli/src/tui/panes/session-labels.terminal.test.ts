// Session actions in a real terminal over a real runner: read a past session, resume it, rename it, archive it.
import { join } from 'node:path';
import { createPastClaude, pastAnswer, pastPrompt } from '@roost/testkit/rigs/agents/past-claude';
import { fastAgent } from '@roost/testkit/rigs/agents/scripted-agents';
import { startRunner } from '@roost/testkit/rigs/runner/runner-rig';
import { KEYS, openTui } from '@roost/testkit/rigs/tui/tui-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000001';

describe('past session unknown to Roost', () => {
	it('can be read, resumed, renamed, archived and restored', { timeout: 120_000 }, async () => {
		await using roost = await startRunner({ drives: fastAgent(), agent: 'claude' });
		const past = await createPastClaude(join(roost.folder, '..', '.claude'));
		await past.add({ cwd: roost.folder, id: NATIVE, lines: [pastPrompt('Mend the roof'), pastAnswer('It is tight now.')] });
		await using tui = openTui({ cwd: roost.folder, env: roost.env });
		await tui.waitForScreen(/live/);
		tui.type(`:sessions${KEYS.enter}P`);
		await tui.waitForScreen(/5f0c8f7e .* Mend the roof/);
		tui.type(KEYS.enter);
		await tui.waitForScreen((screen) => /past session, read-only/.test(screen) && screen.includes('It is tight now.'));
		tui.type('i');
		await tui.waitForScreen(/Type :resume to continue it/);
		tui.type(KEYS.escape);
		await tui.waitForScreen((screen) => !screen.includes('Type :resume'));
		expect(unwrap(await roost.api.record.sessions())).toEqual([]);

		tui.type(`:resume${KEYS.enter}`);
		await tui.waitForScreen(/ mock scripted {2}driven /);
		await tui.waitForScreen(
			(screen) => screen.includes('It is tight now.') && screen.includes('─── resumed from past session 5f0c8f7e ───'),
		);
		const [session] = unwrap(await roost.api.record.sessions());
		expect(session).toMatchObject({ driven: true, nativeIds: [{ id: NATIVE, reason: 'resume' }] });

		tui.type(`:sessions${KEYS.enter}`);
		await tui.waitForScreen(/1 session of project/);
		expect(session?.title).toBe('Mend the roof');
		tui.type(`r\x15The roof${KEYS.enter}`);
		await tui.waitForScreen((screen) => screen.split('\n').filter((line) => line.includes('The roof')).length >= 2);
		tui.type('A');
		await tui.waitForScreen(/All sessions are archived/);
		tui.type('v');
		await tui.waitForScreen(/archived {2}The roof/);
		tui.type('A');
		await tui.waitForScreen((screen) => screen.includes('The roof') && !screen.includes('archived  The roof'));
		expect(unwrap(await roost.api.record.sessions())).toMatchObject([{ title: 'The roof' }]);
	});
});

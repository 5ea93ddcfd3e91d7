// A real Claude asks, a phone allows, and the tool runs; the record names the device.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, message, say } from '../fakes/model-reply.ts';
import { openDrivenClaude } from '../rigs/agents/driven-claude.ts';
import { startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, claude, program } from '../rigs/requirements.ts';
import { openPage, PHONE } from '../rigs/web/open-page.ts';

describe.skipIf(cannotRun([program('chromium'), claude()]))('real Claude', () => {
	it('asks on a phone, and runs what is allowed there', { timeout: 180_000 }, async () => {
		await using chromium = await startChromium();
		await using rig = await openDrivenClaude({
			script: ({ lastUserText }) =>
				message([
					lastUserText.startsWith('touch') ? callTool('Bash', { command: lastUserText, description: 'x' }) : say('Done.'),
				]),
		});
		await using opened = await openPage(chromium, rig, PHONE);
		const session = await rig.start({ allowedTools: ['Bash'] });
		await session.send('touch made-by-phone');
		const { id } = await session.asked();
		const card = opened.page.locator(`[data-ask="${id}"]`);
		expect(await card.locator('[data-part="command"]').textContent()).toBe('touch made-by-phone');
		expect(existsSync(join(rig.folder, 'made-by-phone'))).toBe(false);
		await card.locator('button:text-is("Allow once")').tap();
		await session.until('run.end');
		expect(existsSync(join(rig.folder, 'made-by-phone'))).toBe(true);
		const [decision] = await session.of('permission.decision');
		const [device] = JSON.parse((await rig.call('GET', '/api/v1/devices')).body);
		expect(decision?.data).toMatchObject({ decision_type: 'allow', decided_by: 'user' });
		expect(decision?.data.principal).toMatch(new RegExp(`@web:${device.id}$`));
		expect(opened.complaints).toEqual([]);
	});
});

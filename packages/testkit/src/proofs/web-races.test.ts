// A terminal UI and two pages answer the same request at the same moment: one decides, and the others say who did.
import type { AskRow } from '@roost/protocol/ask';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { openTui, pressUntil } from '../rigs/tui/tui-rig.ts';
import { asksOf, cardOf, openAsking } from '../rigs/web/asking.ts';
import { type OpenedPage, openPage, PHONE } from '../rigs/web/open-page.ts';

const ROUNDS = process.env.ROOST_SOAK ? 50 : 4;

describe.skipIf(cannotRun([program('chromium')]))('request that three faces answer at once', () => {
	let chromium: Chromium;
	beforeAll(async () => {
		chromium = await startChromium();
	});
	afterAll(() => chromium[Symbol.asyncDispose]());

	it('is decided once, and every face says by whom', { timeout: 60_000 + ROUNDS * 20_000 }, async () => {
		await using roost = await startRunnerProcess();
		const asking = await openAsking(roost);
		await using tui = openTui({ cwd: roost.folder, env: roost.env, columns: 100, rows: 30 });
		await using one = await openPage(chromium, roost, PHONE);
		await using other = await openPage(chromium, roost, PHONE);
		await tui.waitForScreen(/live/);
		for (let round = 0; round < ROUNDS; round += 1) {
			const reply = asking.ask('Bash', { command: `make ${round}` });
			await tui.waitForScreen(new RegExp(`── Permission[\\s\\S]*\\$ make ${round}`));
			const ask = await asking.pending();
			const [allow, deny] = await Promise.all([aimAt(one, ask, 'Allow once'), aimAt(other, ask, 'Deny')]);
			// The order changes: who is asked first is first more often.
			const answers = [allow, deny, () => pressUntil(tui, 'y', (screen) => !screen.includes('── Permission'))];
			await Promise.all([...answers.slice(round % 3), ...answers.slice(0, round % 3)].map((answer) => answer()));

			const decided = (await asksOf(roost, true)).find(({ id }) => id === ask.id);
			const verb = decided?.state === 'allowed' ? 'allowed' : 'denied';
			expect((await reply).body).toContain(`"behavior":"${verb === 'allowed' ? 'allow' : 'deny'}"`);
			for (const { page } of [one, other])
				await cardOf(page, ask.id).locator(`:text("${decided?.decidedBy} ${verb} Bash")`).waitFor();
			expect((await asking.decisions()).filter(({ ask_id }) => ask_id === ask.id)).toHaveLength(1);
		}
		for (const { page, complaints } of [one, other]) {
			await page.waitForSelector('section[data-state="empty"]');
			expect(await page.locator('[role="alert"]').count()).toBe(0);
			expect(complaints).toEqual([]);
		}
		expect(await asking.decisions()).toHaveLength(ROUNDS);
	});
});

/** A tap that does not look again whether the button is still there. */
async function aimAt({ page }: OpenedPage, { id }: AskRow, words: string): Promise<() => Promise<void>> {
	const button = cardOf(page, id).locator(`button:text-is("${words}")`);
	await button.scrollIntoViewIfNeeded();
	await button.and(page.locator('[aria-disabled="false"]')).waitFor();
	const box = await button.boundingBox();
	if (!box) throw new Error(`the button "${words}" is not on screen`);
	return () => page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
}

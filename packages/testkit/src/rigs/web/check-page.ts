// A page as axe sees it (WCAG 2.2 AA and best practices), and whether it fits the width of its window.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { runInPage } from '../api/chromium.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const ALL = { runOnly: TAGS };
/** The only rule that depends on the colours. */
const CONTRAST = { runOnly: { type: 'rule', values: ['color-contrast'] } };
const SCHEMES = [
	['light', ALL],
	['dark', CONTRAST],
] as const;
/** What scrolls down must not scroll sideways, and nothing is cut off at the side unless it scrolls inside. */
const OVERFLOW = `
	const areas = [document.documentElement, ...document.querySelectorAll('main, aside, dialog[open], [role="feed"]')];
	const scrolls = (one) => !areas.includes(one) && (/auto|scroll/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
	const wide = areas.filter((one) => one.scrollWidth > one.clientWidth);
	const cut = [...document.querySelectorAll('main *')].filter((one) => {
		const { right, left, width, height } = one.getBoundingClientRect();
		return width > 1 && height > 1 && (right > innerWidth + 1 || left < -1) && !scrolls(one.parentElement);
	});
	return [...wide, ...cut.slice(0, 3)].map((one) => one.outerHTML.slice(0, 200));
`;
const violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** In light and in dark mode. Empty if nothing is wrong; else each rule with the elements that violate it. */
export async function findViolations(page: Page): Promise<string[]> {
	const where = new URL(page.url()).pathname;
	const wrong = await findOverflow(page);
	await runInPage(page, axe.source);
	for (const [colorScheme, rules] of SCHEMES) {
		await page.emulateMedia({ colorScheme });
		const found = violations.parse(
			await runInPage(page, `return (await axe.run(document, ${JSON.stringify(rules)})).violations;`),
		);
		wrong.push(...found.map(({ id, nodes }) => `${where}, ${colorScheme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`));
	}
	await page.emulateMedia({ colorScheme: 'light' });
	return wrong;
}

/** Empty if the page fits the width of its window. */
export async function findOverflow(page: Page): Promise<string[]> {
	const wide = z.array(z.string()).parse(await runInPage(page, OVERFLOW));
	return wide.map((html) => `${new URL(page.url()).pathname}: wider than the window: ${html}`);
}

// A page as axe sees it (WCAG 2.2 AA and best practices), and whether it fits the width of its window.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { runInPage } from '../api/chromium.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const RUN = `${axe.source}; return (await axe.run(document, { runOnly: ${JSON.stringify(TAGS)} })).violations;`;
/** What scrolls down must not scroll sideways. */
const FITS = `return [document.documentElement, ...document.querySelectorAll('main')].every((one) => one.scrollWidth <= one.clientWidth)`;
const violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** Empty if nothing is wrong; else each rule with the elements that violate it. */
export async function findViolations(page: Page): Promise<string[]> {
	const found = violations.parse(await runInPage(page, RUN));
	const fits = await runInPage(page, FITS);
	const where = new URL(page.url()).pathname;
	return [
		...found.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
		...(fits === true ? [] : [`${where}: wider than the window`]),
	];
}

// Screenshots of the page: runs the real demo, standing still, and opens it in Chromium; light, dark, and on a phone.
import { join } from 'node:path';
import { programArgs } from '@roost/core/process/program-files';
import { type Chromium, startChromium } from '@roost/testkit/rigs/api/chromium';
import { type Program, startProgram } from '@roost/testkit/rigs/program';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { DESK, PHONE } from '@roost/testkit/rigs/web/open-page';
import { toSmallPng } from '../small-png.ts';
import { MORNING } from './same-world.ts';
import type { Save } from './take.ts';

const WORLD = join(import.meta.dirname, 'still-world.ts');
/** Each story stands still where its past ends. */
const SPEED = '0.0001';
/** The page is looked at a moment later, so that ages are not zero. */
const SEEN_AT = MORNING + 14_000;

type Place = NonNullable<Parameters<Chromium['profile']>[0]>;
/** `until`: what has to be on the page. */
type Shot = { name: string; address: string; until: readonly string[]; on: 'desk' | 'phone' };

const SHOTS: readonly Shot[] = [
	{ name: 'web-board', address: '/board', until: ['[data-session] >> nth=7'], on: 'desk' },
	{
		name: 'web-session',
		address: '/s/wren',
		until: ['aside >> text=Tasks', 'button[aria-disabled="false"]:text("Allow once")'],
		on: 'desk',
	},
	{
		name: 'web-inbox',
		address: '/',
		until: ['[data-ask] >> nth=2', 'button[aria-disabled="false"]:text("Hold to allow")'],
		on: 'phone',
	},
];

const PLACES = {
	desk: { ...DESK, deviceScaleFactor: 1.5 },
	phone: { ...PHONE, deviceScaleFactor: 2 },
} as const satisfies Record<string, Place>;

export async function takeWebPictures(save: Save): Promise<void> {
	await using chromium = await startChromium();
	for (const colorScheme of ['light', 'dark'] as const) {
		for (const on of ['desk', 'phone'] as const) {
			const shots = SHOTS.filter((shot) => shot.on === on);
			for (const [name, png] of await takeShots(chromium, shots, { ...PLACES[on], colorScheme })) {
				save(`${name}-${colorScheme}.png`, toSmallPng(png));
			}
		}
	}
}

/** A demo for each size and theme: a link is used once, and a picture must not show what another one did. */
async function takeShots(
	chromium: Chromium,
	shots: readonly Shot[],
	place: Place,
): Promise<readonly (readonly [name: string, png: Buffer])[]> {
	await using home = await createTempDir();
	await using demo = await startProgram(
		[process.execPath, '--import', WORLD, ...programArgs('start'), 'demo', '--web', '--speed', SPEED],
		{ cwd: home.path, env: { PATH: process.env.PATH ?? '', HOME: home.path, ROOST_HOME: join(home.path, 'roost') } },
	);
	const link = await linkOf(demo);
	const { context } = await chromium.profile({ ...place, locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
	await context.addInitScript(`Date.now = () => ${SEEN_AT};`);
	const page = await context.newPage();
	await page.goto(link);
	await page.waitForSelector('[role="status"][data-state="live"]');
	const taken: (readonly [string, Buffer])[] = [];
	for (const { name, address, until } of shots) {
		await page.goto(new URL(address, link).href);
		for (const selector of until) await page.waitForSelector(selector);
		taken.push([name, await page.screenshot({ animations: 'disabled' })]);
	}
	await context.close();
	return taken;
}

async function linkOf(demo: Program): Promise<string> {
	return await waitFor(() => /http:\S+#ticket=\S+/.exec(demo.output().stdout)?.[0], { what: 'the link', seen: demo.output });
}

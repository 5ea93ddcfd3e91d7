// Screenshots of the terminal UI: runs the real demo in a headless terminal and saves screens as SVG.
import { join } from 'node:path';
import { programArgs } from '@roost/core/process/program-files';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { KEYS, openTui, pressUntil } from '@roost/testkit/rigs/tui/tui-rig';
import { toSvg } from '../screen-svg.ts';
import type { Save } from './take.ts';

const WORLD = join(import.meta.dirname, 'same-world.ts');
const SIZE = { columns: 120, rows: 36 };
/** The demo takes longer than the default timeout of a test. */
const PATIENCE_MS = 90_000;

const TITLES = {
	permission: 'Roost asks whether an agent may make this edit',
	question: 'Roost shows the questions of an agent',
	feed: 'The feed of a session in Roost, with its tasks and actors',
	stats: 'A session in numbers',
} as const;

export async function takeTerminalPictures(save: Save): Promise<void> {
	await using home = await createTempDir();
	await using tui = openTui({
		...SIZE,
		cwd: home.path,
		env: { PATH: process.env.PATH ?? '', HOME: home.path, ROOST_HOME: join(home.path, 'roost') },
		argv: [process.execPath, '--import', WORLD, ...programArgs('start'), 'demo'],
	});
	const see = (fits: RegExp) => tui.waitForScreen(fits, PATIENCE_MS);
	const take = (name: keyof typeof TITLES) => save(`${name}.svg`, toSvg(tui.terminal, TITLES[name]));

	await see(/── Permission[\s\S]*does not answer/);
	await pressUntil(tui, '', (screen) => !screen.includes('This is a demo'), PATIENCE_MS);
	take('permission');
	await pressUntil(tui, 'y', (screen) => !screen.includes('── Permission'), PATIENCE_MS);

	await see(/Where should the counters be stored/);
	await pressUntil(tui, '1', (screen) => screen.includes('Which routes need'), PATIENCE_MS);
	await pressUntil(tui, ' ', (screen) => screen.includes('☑ /login'), PATIENCE_MS);
	tui.type('j ');
	await see(/☑ \/search/);
	take('question');
	tui.type(KEYS.enter);
	await see(/\/login, \/search/);
	await pressUntil(tui, KEYS.enter, (screen) => !screen.includes('── Question'), PATIENCE_MS);

	await see(/── Permission[\s\S]*git push -u/);
	await pressUntil(tui, 'y', (screen) => !screen.includes('── Permission'), PATIENCE_MS);
	await see(/idle/);
	tui.type('g');
	await see(/Session started/);
	await pressUntil(tui, 'j', (screen) => screen.includes('expected 200 to be 503'), PATIENCE_MS);
	take('feed');

	tui.type(`:open kestrel${KEYS.enter}`);
	await see(/■ ended/);
	tui.type(`:stats${KEYS.enter}`);
	await see(/Tokens[\s\S]*cache written[\s\S]*back to the feed/);
	take('stats');
	tui.type('q');
	await tui.waitForExit();
}

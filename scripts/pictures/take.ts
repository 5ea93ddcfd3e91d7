// Takes the pictures of the README: the real demo in a headless terminal, keys pressed, screens kept as SVG in docs/pictures.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI_MAIN } from '@roost/testkit/rigs/roost-cli';
import { toSvg } from '@roost/testkit/rigs/screen-svg';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { KEYS, openTui } from '@roost/testkit/rigs/tui-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
const WORLD = join(import.meta.dirname, 'same-world.ts');
const SIZE = { columns: 120, rows: 36 };
/** The demo lasts longer than a test would wait. */
const PATIENCE_MS = 90_000;

await using home = await createTempDir();
await using tui = openTui({
	...SIZE,
	cwd: home.path,
	env: { PATH: process.env.PATH ?? '', HOME: home.path, ROOST_HOME: join(home.path, 'roost') },
	argv: [process.execPath, '--conditions=source', '--import', WORLD, CLI_MAIN, 'demo'],
});

const TITLES = {
	permission: 'Roost asks whether an agent may make this edit',
	question: 'Roost hands on the questions of an agent',
	feed: 'The feed of a session in Roost, with its tasks and actors',
	stats: 'A session in numbers',
} as const;

await see(/── Permission[\s\S]*does not answer/);
await press('', (screen) => !screen.includes('This is a demo'));
take('permission');
await press('y', (screen) => !screen.includes('── Permission'));

await see(/Where shall the counters live/);
await press('1', (screen) => screen.includes('Which routes need'));
await press(' ', (screen) => screen.includes('☑ /login'));
tui.type('j ');
await see(/☑ \/search/);
take('question');
tui.type(KEYS.enter);
await see(/\/login, \/search/);
await press(KEYS.enter, (screen) => !screen.includes('── Question'));

await see(/── Permission[\s\S]*git push -u/);
await press('y', (screen) => !screen.includes('── Permission'));
await see(/idle/);
tui.type('g');
await see(/Session started/);
// What was asked has a picture of its own: closed here, it leaves room for the rest of the story.
tui.type(`${'j'.repeat(18)}${KEYS.enter}`);
await see(/▸ ⚠ Permission: Edit src\/health\.ts/);
await press('j', (screen) => screen.includes('expected 200 to be 503'));
take('feed');

tui.type(`:open kestrel${KEYS.enter}`);
await see(/■ ended/);
tui.type(`:stats${KEYS.enter}`);
await see(/Tokens[\s\S]*cache written/);
take('stats');
tui.type('q');
await tui.waitForExit();

async function see(fits: RegExp): Promise<void> {
	await tui.waitForScreen(fits, PATIENCE_MS);
}

/** What has just appeared takes no key yet. */
async function press(key: string, fits: (screen: string) => boolean): Promise<void> {
	const pressed = async () => {
		await tui.terminal.settled();
		if (fits(tui.terminal.text())) return true;
		tui.type(key);
		return undefined;
	};
	await waitFor(pressed, { deadlineMs: PATIENCE_MS, what: `"${key}" to count`, everyMs: 450, seen: tui.terminal.text });
}

function take(name: keyof typeof TITLES): void {
	const svg = toSvg(tui.terminal, TITLES[name]);
	writeFileSync(join(FOLDER, `${name}.svg`), svg);
	process.stdout.write(`docs/pictures/${name}.svg ${Math.ceil(svg.length / 1024)} KB\n`);
}

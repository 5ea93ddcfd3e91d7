// roost: the terminal UI for this project.
import { connectOrStart } from '../connect.ts';
import { loadProject } from '../open-runner.ts';
import { fail } from '../output/exit.ts';
import { runTui } from '../tui/app.ts';
import { createSource } from '../tui/data/source.ts';
import type { ThemeName } from '../tui/screen/look.ts';

export async function openTui(options: { theme?: ThemeName; ascii?: boolean }): Promise<void> {
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, {});
	const { findProject } = await loadProject();
	const project = await findProject(process.cwd());
	const { api, openStream } = connected.value;
	await using source = createSource({ api, stream: openStream(), project, now: Date.now, say: () => {} });
	await runTui({
		source,
		theme: { theme: options.theme ?? 'dark', colour: !process.env.NO_COLOR, ascii: options.ascii === true },
		stdout: process.stdout,
		stdin: process.stdin,
		copy: (text) => process.stdout.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`),
	});
}

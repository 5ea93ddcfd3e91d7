// roost: the terminal UI for this project.
import { AppError } from '@roost/protocol/app-error';
import { runnerProgram } from '../connect.ts';
import { connectOrStartToDecide } from '../inside-agent.ts';
import { loadProject, loadWatch } from '../open-runner.ts';
import { fail } from '../output/exit.ts';
import { runTui } from '../tui/app.ts';
import { createSource } from '../tui/data/source.ts';
import { createCopy } from '../tui/screen/clipboard.ts';
import { toLookOptions } from '../tui/screen/look-options.ts';

export async function openTui(options: { theme?: string; ascii?: boolean }): Promise<void> {
	const { stdin, stdout, env } = process;
	const look = toLookOptions(options, env);
	if (!look.ok) return fail(look.error, {});
	if (!stdin.isTTY || !stdout.isTTY || env.TERM === 'dumb') return fail(noTerminal(), {});
	// Asks are decided and agents are driven from it.
	const connected = await connectOrStartToDecide('');
	if (!connected.ok) return fail(connected.error, {});
	const { findProject } = await loadProject();
	const project = await findProject(process.cwd());
	const { api, openStream } = connected.value;
	const sentences = createSentences();
	const { watchRunner } = await loadWatch();
	const watched = watchRunner({ env, start: runnerProgram() });
	if (!watched.ok) return fail(watched.error, {});
	await using runner = watched.value;
	await using source = createSource({ api, stream: openStream(), runner, project, now: Date.now, say: sentences.say });
	await runTui({
		source,
		look: look.value,
		stdout,
		stdin,
		copy: createCopy({ write: (bytes) => stdout.write(bytes), env }),
		onSentence: sentences.onSentence,
	});
}

function noTerminal(): AppError {
	const message = 'This needs a terminal that can move its cursor; "roost feed" and "roost sessions" print anywhere.';
	return new AppError('usage', message);
}

/** Whoever has something to say is made before there is a screen to say it on. */
function createSentences() {
	let handler = (_sentence: string): void => {};
	return {
		say: (sentence: string) => handler(sentence),
		onSentence(next: (sentence: string) => void) {
			handler = next;
		},
	};
}

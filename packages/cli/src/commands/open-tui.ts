// roost: the terminal UI for this project.
import { AppError } from '@roost/protocol/app-error';
import { fail } from '../output/exit.ts';
import { isTerminal } from '../output/is-terminal.ts';
import { runnerProgram } from '../runner/connect.ts';
import { connectOrStartToDecide } from '../runner/connect-to-decide.ts';
import { toStyleOptions } from '../tui/screen/style-options.ts';
import { loadProject, loadWatch } from './lazy-parts.ts';
import { showTui } from './show-tui.ts';

export async function openTui(options: { theme?: string; ascii?: boolean }): Promise<void> {
	const { env } = process;
	const styles = toStyleOptions(options, env);
	if (!styles.ok) return fail(styles.error, {});
	if (!isTerminal(process)) return fail(noTerminal(), {});
	// Asks are decided and agents are driven from it.
	const connected = await connectOrStartToDecide('', 'tui');
	if (!connected.ok) return fail(connected.error, {});
	const { findProject } = await loadProject();
	const project = await findProject(process.cwd());
	const { watchRunner } = await loadWatch();
	const watched = watchRunner({ env, start: runnerProgram() });
	if (!watched.ok) return fail(watched.error, {});
	await using runner = watched.value;
	await showTui({ connected: connected.value, runner, project, styles: styles.value });
}

function noTerminal(): AppError {
	const message = 'This needs a terminal that can move its cursor; "roost feed" and "roost sessions" print anywhere.';
	return new AppError('usage', message);
}

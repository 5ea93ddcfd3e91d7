// roost hooks: every claude that is started in this project reports to Roost, with entries in the project's own settings.
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { runnerProgram } from '../connect.ts';
import { connectToDecide } from '../inside-agent.ts';
import { loadInstalledSetup } from '../open-runner.ts';
import { askYes } from '../output/ask-yes.ts';
import { calledAs } from '../output/called-as.ts';
import { EXIT, fail } from '../output/exit.ts';
import { say } from '../output/say.ts';

type Options = { json?: boolean };
type InstallOptions = Options & { yes?: boolean; diff?: boolean };

/** Stands in every entry of Roost, and in no other. */
const MARKER = '--roost-managed';

export async function installHooks(options: InstallOptions): Promise<void> {
	const setup = await openToChange('hooks install');
	if (!setup.ok) return fail(setup.error, options);
	const { project } = setup.value;
	const edit = await setup.value.planInstall();
	if (!edit.ok) return fail(edit.error, options);
	const changed = edit.value.before !== edit.value.after;
	if (changed && !(await mayWrite(edit.value.diff, options))) return;
	const applied = await setup.value.install(edit.value);
	if (!applied.ok) return fail(applied.error, options);
	say(options, { project, changed, ...applied.value }, [
		`${changed ? 'Installed' : 'Installed already'}: every claude started in ${sanitiseLine(project)} reports to Roost.`,
		'Observed only: nothing is asked, decided or blocked, not even by a deny rule.',
		`For a gate use "${calledAs()} claude". See sessions with "${calledAs()} sessions".`,
		`Remove the hooks with "${calledAs()} hooks uninstall".`,
		`Claude Code only: record other agents with "${calledAs()} codex", "${calledAs()} copilot" or "${calledAs()} pi".`,
		...applied.value.warnings.map((warning) => `Warning: ${sanitiseLine(warning)}.`),
	]);
}

export async function uninstallHooks(options: Options): Promise<void> {
	const setup = await openToChange('hooks uninstall');
	if (!setup.ok) return fail(setup.error, options);
	const { project } = setup.value;
	const edit = await setup.value.planUninstall();
	if (!edit.ok) return fail(edit.error, options);
	const changed = edit.value.before !== edit.value.after;
	const applied = await setup.value.uninstall(edit.value);
	if (!applied.ok) return fail(applied.error, options);
	say(options, { project, changed, ...applied.value }, [
		changed
			? `Uninstalled: claude no longer reports from ${sanitiseLine(project)}. What is on record stays there.`
			: `There were no hooks of Roost in ${sanitiseLine(project)}.`,
		...applied.value.warnings.map((warning) => `Warning: ${sanitiseLine(warning)}.`),
	]);
}

export async function hooksStatus(options: Options): Promise<void> {
	const setup = await openSetup();
	if (!setup.ok) return fail(setup.error, options);
	const { project } = setup.value;
	const status = await setup.value.status();
	if (!status.ok) return fail(status.error, options);
	if (status.value.state === 'drifted') process.exitCode = EXIT.failed;
	say(options, { project, ...status.value }, sentences(sanitiseLine(project), status.value));
}

type Status = { state: 'none' | 'installed' } | { state: 'drifted'; drifts: string[] };

function sentences(project: string, status: Status): string[] {
	if (status.state === 'drifted') {
		return [
			`The hooks in ${project} are not as Roost installed them:`,
			...status.drifts.map((drift) => `  ${sanitiseLine(drift)}`),
			'If that was not you, look at .claude/settings.local.json there first.',
			`"${calledAs()} hooks install" puts them right, "${calledAs()} hooks uninstall" takes them out.`,
		];
	}
	if (status.state === 'installed') return [`Installed: every claude started in ${project} reports to Roost.`];
	return [`Not installed in ${project}: "${calledAs()} hooks install" makes every claude started there report to Roost.`];
}

async function openSetup() {
	const { openHooksSetup } = await loadInstalledSetup();
	return openHooksSetup({ env: process.env, cwd: process.cwd(), runner: runnerProgram() });
}

/** An agent must not silence its own witness, nor bring it where its user did not want it. */
async function openToChange(command: string): ReturnType<typeof openSetup> {
	const allowed = await connectToDecide(command, { start: false });
	return allowed.ok ? openSetup() : allowed;
}

/** Says what would change first; without a terminal somebody has to have said yes beforehand. */
async function mayWrite(diff: string, options: InstallOptions): Promise<boolean> {
	const shown = options.diff ? `${sanitiseBlock(diff).trimEnd()}\n\n` : '';
	if (!options.json) process.stdout.write(`${shown}${summary(diff, options)}\n`);
	if (options.yes) return true;
	const asked = await askYes('Write this?', {
		...options,
		otherwise: 'Nothing was changed: run it again with --yes to write this.',
	});
	if (!asked.ok) fail(asked.error, options);
	else if (!asked.value) {
		process.stdout.write('Nothing was changed.\n');
		process.exitCode = EXIT.failed;
	}
	return asked.ok && asked.value;
}

/** Each event of claude has an entry of its own, so that the whole change is long. */
function summary(diff: string, options: InstallOptions): string {
	const count = (sign: string) => diff.split('\n').filter((line) => line.startsWith(sign) && line.includes(MARKER)).length;
	const removed = count('-');
	const change = `Adds ${count('+')} hooks${removed > 0 ? `, removes ${removed}` : ''} in .claude/settings.local.json and changes nothing else.`;
	const more = options.diff ? '' : ' Use --diff to see every line.';
	return `${change}\nEach hook runs Roost's forwarder, which reports and never decides.${more}`;
}

// roost hooks: every agent of one kind that is started in this project reports to Roost, by hooks in the agent's own settings.
import { type AgentId, DEFAULT_AGENT, OBSERVED_IDS } from '@roost/agents/base/agent-names';
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { askYes } from '../output/ask-yes.ts';
import { EXIT, fail } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { say } from '../output/say.ts';
import { connectToDecide, runnerProgram } from '../runner/connect.ts';

type Options = { agent?: AgentId; json?: boolean };
type InstallOptions = Options & { yes?: boolean; diff?: boolean };

export async function installHooks(options: InstallOptions): Promise<void> {
	const { agent = DEFAULT_AGENT } = options;
	const setup = await openToChange('hooks install', agent);
	if (!setup.ok) return fail(setup.error, options);
	const { project } = setup.value;
	const plan = await setup.value.planInstall();
	if (!plan.ok) return fail(plan.error, options);
	const changed = plan.value.changed || !setup.value.isInstalled();
	if (plan.value.changed && !(await mayWrite(plan.value, setup.value, options))) return;
	const applied = await setup.value.install(plan.value);
	if (!applied.ok) return fail(applied.error, options);
	const flag = flagOf(agent);
	say(options, { project, changed, ...applied.value }, [
		`${changed ? 'Installed' : 'Installed already'}: every ${agent} started in ${sanitiseLine(project)} reports to Roost.`,
		'Observed only: nothing is asked, decided or blocked, not even by a deny rule.',
		`For a gate use "${calledAs()} ${agent}". See sessions with "${calledAs()} sessions".`,
		`Remove the hooks with "${calledAs()} hooks uninstall${flag}".`,
		...(agent === DEFAULT_AGENT ? [`Other agents: use --agent ${OTHERS.join(', ')}.`] : []),
		...applied.value.warnings.map((warning) => `Warning: ${sanitiseLine(warning)}.`),
	]);
}

const OTHERS = OBSERVED_IDS.filter((agent) => agent !== DEFAULT_AGENT);

export async function uninstallHooks(options: Options): Promise<void> {
	const { agent = DEFAULT_AGENT } = options;
	const setup = await openToChange('hooks uninstall', agent);
	if (!setup.ok) return fail(setup.error, options);
	const { project } = setup.value;
	const plan = await setup.value.planUninstall();
	if (!plan.ok) return fail(plan.error, options);
	const changed = plan.value.changed || (setup.value.projectFile === null && setup.value.isInstalled());
	const applied = await setup.value.uninstall(plan.value);
	if (!applied.ok) return fail(applied.error, options);
	say(options, { project, changed, ...applied.value }, [
		changed
			? `Uninstalled: ${agent} no longer reports from ${sanitiseLine(project)}. What is on record stays there.`
			: `There were no hooks of Roost${agent === DEFAULT_AGENT ? '' : ` for ${agent}`} in ${sanitiseLine(project)}.`,
		...applied.value.warnings.map((warning) => `Warning: ${sanitiseLine(warning)}.`),
	]);
}

/** Without an agent: that of the default one, and those of the others that are installed here. */
export async function hooksStatus(options: Options): Promise<void> {
	const { agent = DEFAULT_AGENT } = options;
	const first = await readStatus(agent);
	if (!first.ok) return fail(first.error, options);
	const others: HooksStatus[] = [];
	for (const other of options.agent === undefined ? OTHERS : []) {
		const status = await readStatus(other);
		if (!status.ok) return fail(status.error, options);
		if (status.value.state !== 'none') others.push(status.value);
	}
	const { agent: _, projectFile: __, ...shown } = first.value;
	const all = [first.value, ...others];
	if (all.some(({ state }) => state === 'drifted')) process.exitCode = EXIT.failed;
	say(options, { ...shown, ...(others.length > 0 && { others }) }, all.flatMap(sentences));
}

type HooksStatus = { agent: AgentId; project: string; projectFile: string | null } & (
	| { state: 'none' | 'installed' }
	| { state: 'drifted'; drifts: string[] }
);

async function readStatus(agent: AgentId) {
	const setup = await openSetup(agent);
	if (!setup.ok) return setup;
	const status = await setup.value.status();
	if (!status.ok) return status;
	const { project, projectFile } = setup.value;
	return { ok: true as const, value: { agent, project, projectFile, ...status.value } satisfies HooksStatus };
}

function sentences(status: HooksStatus): string[] {
	const { agent } = status;
	const project = sanitiseLine(status.project);
	const flag = flagOf(agent);
	if (status.state === 'drifted') {
		return [
			`The ${agent === DEFAULT_AGENT ? '' : `${agent} `}hooks in ${project} are not as Roost installed them:`,
			...status.drifts.map((drift) => `  ${sanitiseLine(drift)}`),
			...(status.projectFile ? [`If that was not you, look at ${status.projectFile} there first.`] : []),
			`"${calledAs()} hooks install${flag}" puts them right, "${calledAs()} hooks uninstall${flag}" takes them out.`,
		];
	}
	if (status.state === 'installed') return [`Installed: every ${agent} started in ${project} reports to Roost.`];
	return [
		`Not installed in ${project}: "${calledAs()} hooks install${flag}" makes every ${agent} started there report to Roost.`,
	];
}

function flagOf(agent: AgentId): string {
	return agent === DEFAULT_AGENT ? '' : ` --agent ${agent}`;
}

async function openSetup(agent: AgentId) {
	const { openHooksSetup } = await import('../hooks/installed-setup.ts');
	return openHooksSetup({ agent, env: process.env, cwd: process.cwd(), runner: runnerProgram() });
}

/** An agent must not silence its own witness, nor bring it where its user did not want it. */
async function openToChange(command: string, agent: AgentId): ReturnType<typeof openSetup> {
	const allowed = await connectToDecide(command, { start: false });
	return allowed.ok ? openSetup(agent) : allowed;
}

const IN_PROJECT = "Each hook runs Roost's forwarder, which reports and never decides.";
const IN_EVERY_FOLDER = 'It runs in every folder, reports only from installed projects and never decides.';

/** Prints the change first. Without a terminal, --yes is required. */
async function mayWrite(
	{ summary, diff }: { summary: string; diff: string },
	{ projectFile }: { projectFile: string | null },
	options: InstallOptions,
): Promise<boolean> {
	const shown = options.diff ? `${sanitiseBlock(diff).trimEnd()}\n\n` : '';
	const more = options.diff ? '' : ' Use --diff to see every line.';
	const change = `${sanitiseLine(summary)} and changes nothing else.`;
	const effect = projectFile === null ? IN_EVERY_FOLDER : IN_PROJECT;
	if (!options.json) process.stdout.write(`${shown}${change}\n${effect}${more}\n`);
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

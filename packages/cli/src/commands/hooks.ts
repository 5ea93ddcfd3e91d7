// roost hooks: installs hooks in the agent's own settings, so that every agent started in this project reports to Roost.
import { type AgentId, DEFAULT_AGENT, OBSERVED_IDS } from '@roost/agents/base/agent-names';
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { type HooksSetup, openHooksSetup } from '../hooks/installed-setup.ts';
import { confirmChange } from '../output/ask-yes.ts';
import { EXIT, unwrap } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { print } from '../output/print.ts';
import { connectToDecide, runnerProgram } from '../runner/connect.ts';

type Options = { agent?: AgentId; json?: boolean };
type InstallOptions = Options & { yes?: boolean; diff?: boolean };

export async function installHooks(options: InstallOptions): Promise<void> {
	const { agent = DEFAULT_AGENT } = options;
	const setup = await openToChange('hooks install', agent);
	const { project } = setup;
	const plan = unwrap(await setup.planInstall());
	const changed = plan.changed || !setup.isInstalled();
	if (plan.changed && !(await mayWrite(plan, setup, options))) return;
	const applied = unwrap(await setup.install(plan));
	const flag = flagOf(agent);
	await print(options, { project, changed, ...applied }, [
		`${changed ? 'Installed' : 'Installed already'}: every ${agent} started in ${sanitiseLine(project)} reports to Roost.`,
		'Observed only: nothing is asked, decided or blocked, not even by a deny rule.',
		`For a gate use "${calledAs()} ${agent}". See sessions with "${calledAs()} sessions".`,
		`Remove the hooks with "${calledAs()} hooks uninstall${flag}".`,
		...(agent === DEFAULT_AGENT ? [`Other agents: use --agent ${OTHERS.join(', ')}.`] : []),
		...applied.warnings.map((warning) => `Warning: ${sanitiseLine(warning)}.`),
	]);
}

const OTHERS = OBSERVED_IDS.filter((agent) => agent !== DEFAULT_AGENT);

export async function uninstallHooks(options: Options): Promise<void> {
	const { agent = DEFAULT_AGENT } = options;
	const setup = await openToChange('hooks uninstall', agent);
	const { project } = setup;
	const plan = unwrap(await setup.planUninstall());
	const changed = plan.changed || (setup.projectFile === null && setup.isInstalled());
	const applied = unwrap(await setup.uninstall(plan));
	await print(options, { project, changed, ...applied }, [
		changed
			? `Uninstalled: ${agent} no longer reports from ${sanitiseLine(project)}. What is on record stays.`
			: `No hooks of Roost${agent === DEFAULT_AGENT ? '' : ` for ${agent}`} in ${sanitiseLine(project)}.`,
		...applied.warnings.map((warning) => `Warning: ${sanitiseLine(warning)}.`),
	]);
}

/** Without --agent: the default agent, and the others that are installed here. */
export async function hooksStatus(options: Options): Promise<void> {
	const { agent = DEFAULT_AGENT } = options;
	const first = await readStatus(agent);
	const others: HooksStatus[] = [];
	for (const other of options.agent === undefined ? OTHERS : []) {
		const status = await readStatus(other);
		if (status.state !== 'none') others.push(status);
	}
	const { agent: _, projectFile: __, ...shown } = first;
	const all = [first, ...others];
	if (all.some(({ state }) => state === 'drifted')) process.exitCode = EXIT.failed;
	await print(options, { ...shown, ...(others.length > 0 && { others }) }, all.flatMap(sentences));
}

type HooksStatus = { agent: AgentId; project: string; projectFile: string | null } & (
	| { state: 'none' | 'installed' }
	| { state: 'drifted'; drifts: string[] }
);

async function readStatus(agent: AgentId): Promise<HooksStatus> {
	const setup = await openSetup(agent);
	const { project, projectFile } = setup;
	return { agent, project, projectFile, ...unwrap(await setup.status()) };
}

function sentences(status: HooksStatus): string[] {
	const { agent } = status;
	const project = sanitiseLine(status.project);
	const flag = flagOf(agent);
	if (status.state === 'drifted') {
		return [
			`The ${agent === DEFAULT_AGENT ? '' : `${agent} `}hooks in ${project} were changed since Roost installed them:`,
			...status.drifts.map((drift) => `  ${sanitiseLine(drift)}`),
			...(status.projectFile ? [`If that was not you, look at ${status.projectFile} there first.`] : []),
			`"${calledAs()} hooks install${flag}" reinstalls them, "${calledAs()} hooks uninstall${flag}" removes them.`,
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

async function openSetup(agent: AgentId): Promise<HooksSetup> {
	return unwrap(await openHooksSetup({ agent, env: process.env, cwd: process.cwd(), runner: runnerProgram() }));
}

/** Agents may not change how they are recorded. */
async function openToChange(command: string, agent: AgentId): Promise<HooksSetup> {
	unwrap(await connectToDecide(command, { start: false }));
	return await openSetup(agent);
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
	return await confirmChange('Write this?', {
		...options,
		otherwise: 'Nothing was changed: run it again with --yes to write this.',
	});
}

// Checks that installed hooks are unchanged, in every project.
import { existsSync } from 'node:fs';
import { DEFAULT_AGENT } from '@roost/agents/base/agent-names';
import { type InstalledProject, type InstalledProjects, installedDir } from '@roost/home/installed-projects';
import { findProject } from '@roost/home/project';
import { openHooksSetup, type RunnerArgv } from '../hooks/installed-setup.ts';
import { fail, fine, type Outcome, warn } from './finding.ts';

type HooksCheck = {
	env: NodeJS.ProcessEnv;
	cwd: string;
	runner: RunnerArgv;
	home: { data: string };
	projects: Pick<InstalledProjects, 'list'>;
};

export async function checkHooks(check: HooksCheck): Promise<Outcome[]> {
	const here = (await findProject(check.cwd)).path;
	const installed = check.projects.list().filter(({ path, agent }) => path !== here || agent !== DEFAULT_AGENT);
	const all = [{ path: here, agent: DEFAULT_AGENT }, ...installed];
	const messages = await Promise.all(all.map((one) => checkOne(check, one, one.path === here)));
	return messages.flat();
}

type Checked = Pick<InstalledProject, 'path' | 'agent'>;

async function checkOne(check: HooksCheck, { path, agent }: Checked, isHere: boolean): Promise<Outcome[]> {
	if (!existsSync(path)) {
		const remedy = `If it is gone for good, remove the file in ${installedDir(check.home)} that names it.`;
		return [warn(`${path}, which has hooks installed, is not there`, remedy)];
	}
	const setup = await openHooksSetup({ agent, env: check.env, cwd: path, runner: check.runner });
	const status = setup.ok ? await setup.value.status() : setup;
	const flag = agent === DEFAULT_AGENT ? '' : ` --agent ${agent}`;
	const name = agent === DEFAULT_AGENT ? path : `${path} (${agent})`;
	if (!status.ok) return [fail(`${name}: ${status.error.message}`, `Fix this, then run "roost hooks status${flag}" there.`)];
	if (status.value.state === 'drifted') {
		const remedy = `See whether that was you, then run "roost hooks install${flag}" or "roost hooks uninstall${flag}" in ${path}.`;
		return status.value.drifts.map((drift) => fail(`${name}: ${drift}`, remedy));
	}
	if (status.value.state === 'installed') return [fine(`${name}: installed and unchanged`)];
	return isHere ? [fine(`${path}: not installed`)] : [];
}

// Whether installed hooks are still as Roost left them, in this project and in every other one.
import { existsSync } from 'node:fs';
import { type InstalledProjects, installedDir } from '../observed/installed-projects.ts';
import { openHooksSetup } from '../observed/installed-setup.ts';
import type { RunnerArgv } from '../observed/installed-start.ts';
import { findProject } from '../project.ts';
import { fail, fine, type Said, warn } from './finding.ts';

export type HooksCheck = {
	env: NodeJS.ProcessEnv;
	cwd: string;
	runner: RunnerArgv;
	home: { data: string };
	projects: Pick<InstalledProjects, 'list'>;
};

export async function checkHooks(check: HooksCheck): Promise<Said[]> {
	const here = (await findProject(check.cwd)).path;
	const paths = new Set([here, ...check.projects.list().map(({ path }) => path)]);
	const said = await Promise.all([...paths].map((path) => checkOne(check, path, path === here)));
	return said.flat();
}

async function checkOne(check: HooksCheck, path: string, isHere: boolean): Promise<Said[]> {
	if (!existsSync(path)) {
		const remedy = `If it is gone for good, remove the file in ${installedDir(check.home)} that names it.`;
		return [warn(`${path}, which has hooks installed, is not there`, remedy)];
	}
	const setup = await openHooksSetup({ env: check.env, cwd: path, runner: check.runner });
	const status = setup.ok ? await setup.value.status() : setup;
	if (!status.ok) return [fail(`${path}: ${status.error.message}`, 'Mend that, then run "roost hooks status" there.')];
	if (status.value.state === 'drifted') {
		const remedy = `See whether that was you, then run "roost hooks install" or "roost hooks uninstall" in ${path}.`;
		return status.value.drifts.map((drift) => fail(`${path}: ${drift}`, remedy));
	}
	if (status.value.state === 'installed') return [fine(`${path}: installed, as Roost left them`)];
	return isHere ? [fine(`${path}: not installed`)] : [];
}

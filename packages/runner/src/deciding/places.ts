// The files that agents may not touch: Roost's data, its configuration, the program that runs the runner, and the runner's process.
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { PROGRAM_FOLDER } from '@roost/core/process/program-files';
import { configPath } from '@roost/home/config/config-path';
import type { Home } from '@roost/home/home';

export type Place = {
	id: 'builtin-home' | 'builtin-config' | 'builtin-program' | 'builtin-runner';
	path: string;
	/** Reading it is harmless. */
	readable: boolean;
	/** The files that matter, where there are too many others to be listed. */
	files?: readonly string[];
	/** What it is and why it is protected, for the message. */
	what: string;
};

export type OwnFilesContext = {
	places: readonly Place[];
	program: string;
	userHome: string;
	userName: string;
	variables: ReadonlyMap<string, string>;
};

export function ownFilesContext(
	home: Pick<Home, 'data' | 'run'>,
	env: NodeJS.ProcessEnv,
	program = PROGRAM_FOLDER,
): OwnFilesContext {
	const secret = 'agents cannot read or change it, because it holds the token and the record';
	const places: Place[] = [
		{ id: 'builtin-home', path: home.data, readable: false, what: `Roost's data folder; ${secret}` },
		{ id: 'builtin-home', path: home.run, readable: false, what: `Roost's runtime folder; ${secret}` },
		{
			id: 'builtin-config',
			path: dirname(configPath(env)),
			readable: false,
			what: "Roost's configuration; agents cannot read or change it, because it decides how they are governed",
		},
		{
			id: 'builtin-program',
			path: program,
			readable: true,
			what: 'the Roost program that runs this runner; agents cannot change it. To develop Roost, start the runner from another copy',
		},
		{
			id: 'builtin-runner',
			path: `/proc/${process.pid}`,
			readable: false,
			files: [`/proc/${process.pid}/environ`, `/proc/${process.pid}/mem`],
			what: "the runner's process; agents cannot read its environment or memory",
		},
	];
	const userHome = env.HOME || homedir();
	const kept = ['HOME', 'USER', 'LOGNAME', 'TMPDIR', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR'];
	const known = kept.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
	const variables = new Map([['HOME', userHome], ...known, ['ROOST_HOME', home.data]]);
	return { places, program, userHome, userName: userInfo().username, variables };
}

/** `~`, `~name` and a leading variable, as shells and some tools take them. */
export function expandHome(path: string, { userHome, userName, variables }: OwnFilesContext): string {
	const variable = /^\$\{?(\w+)\}?/.exec(path);
	const value = variable === null ? undefined : variables.get(variable[1] ?? '');
	if (variable !== null && value !== undefined) return value + path.slice(variable[0].length);
	const [, name, rest = ''] = /^~([^/]*)(.*)$/s.exec(path) ?? [];
	if (name === undefined) return path;
	return name === '' || name === userName ? userHome + rest : join(dirname(userHome), name) + rest;
}

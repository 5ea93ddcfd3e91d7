// roost install: links "roost" into a folder of the user and installs completions; roost uninstall removes both.
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { completionScript, SHELLS, type Shell } from '../completion/scripts.ts';
import { EXIT, unwrap } from '../output/exit.ts';
import { findOnPath, isClone, isLauncher, LAUNCHER } from '../output/launcher.ts';
import { print } from '../output/print.ts';

type Options = { json?: boolean };

export async function install(named: string | undefined, options: Options): Promise<void> {
	if (!isClone()) return await printInstalled(options);
	const { installRoost } = await import('../install/install-roost.ts');
	const folder = named === undefined ? join(homeDir(), '.local', 'bin') : resolve(named);
	const link = join(folder, 'roost');
	const completions = SHELLS.map((shell) => ({ path: completionPath(shell), text: completionScript(shell, link) }));
	const done = unwrap(installRoost(process.env, [{ path: link, target: LAUNCHER }, ...completions]));
	const onPath = (process.env.PATH ?? '').split(delimiter).includes(folder);
	const files = { link, completions: completions.map(({ path }) => path) };
	await print(options, { ...done, onPath, ...files }, [
		`${done.changed ? 'Installed' : 'Already installed'}: ${sanitiseLine(link)}`,
		...completions.map(({ path }) => `  completions: ${sanitiseLine(path)}`),
		...(onPath ? shadowedBy(link) : howToAdd(folder)),
		...zshHint(),
	]);
}

async function printInstalled(options: Options): Promise<void> {
	const found = findOnPath();
	const onPath = found !== undefined && isLauncher(found);
	const where = onPath
		? `it is on your PATH already: ${sanitiseLine(found)}`
		: 'its folder is not on your PATH: add the "bin" folder below what "npm prefix -g" prints.';
	await print(options, { changed: false, onPath, ...(onPath ? { link: found } : {}) }, [`npm installed roost, and ${where}`]);
}

export async function uninstall(options: Options): Promise<void> {
	const { uninstallRoost } = await import('../install/install-roost.ts');
	const done = unwrap(uninstallRoost(process.env));
	const { removed, left } = done;
	if (left.length > 0) process.exitCode = EXIT.failed;
	await print(options, done, [
		...(removed.length + left.length === 0 ? ['Nothing to remove: "roost install" was not run, or was undone.'] : []),
		...removed.map((path) => `Removed ${sanitiseLine(path)}`),
		...left.map((path) => `Kept ${sanitiseLine(path)}: it was changed after it was installed. Remove it yourself.`),
	]);
}

function homeDir(): string {
	return process.env.HOME || homedir();
}

function completionPath(shell: Shell): string {
	const shared = process.env.XDG_DATA_HOME || join(homeDir(), '.local', 'share');
	const config = process.env.XDG_CONFIG_HOME || join(homeDir(), '.config');
	const places: Record<Shell, string> = {
		bash: join(shared, 'bash-completion', 'completions', 'roost'),
		zsh: join(shared, 'zsh', 'site-functions', '_roost'),
		fish: join(config, 'fish', 'completions', 'roost.fish'),
	};
	return places[shell];
}

function shadowedBy(link: string): string[] {
	const found = findOnPath();
	if (found === undefined || found === link || isLauncher(found)) return [];
	return [`Warning: "roost" runs ${sanitiseLine(found)}, which comes before it on your PATH.`];
}

function howToAdd(folder: string): string[] {
	const shown = folder.startsWith(`${homeDir()}/`) ? `$HOME${folder.slice(homeDir().length)}` : folder;
	const shell = userShell();
	const line = `export PATH="${shown}:$PATH"`;
	const how = {
		fish: `fish_add_path "${shown}"`,
		zsh: `echo '${line}' >> ~/.zshrc`,
		bash: `echo '${line}' >> ~/.bashrc`,
	};
	return [`${sanitiseLine(folder)} is not on your PATH. Add it, then open a new terminal:`, `  ${sanitiseLine(how[shell])}`];
}

/** zsh has no user folder that it always searches. */
function zshHint(): string[] {
	if (userShell() !== 'zsh') return [];
	const folder = join(completionPath('zsh'), '..');
	return ['For completions, add this to ~/.zshrc before "compinit":', `  fpath+=('${sanitiseLine(folder)}')`];
}

function userShell(): Shell {
	const name = (process.env.SHELL ?? '').split('/').at(-1);
	return SHELLS.find((shell) => shell === name) ?? 'bash';
}

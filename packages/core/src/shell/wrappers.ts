// Commands that run another command given as their arguments: what is allowed for the inner one says nothing of them.
import type { SimpleCommand } from './simple-commands.ts';

/** The literal words a pattern must hold to cover a command that runs others; empty for ordinary commands. */
export function wrapperWords(command: SimpleCommand): string[] {
	const name = baseName(command.name ?? '');
	const actions = ACTIONS.get(name);
	if (actions !== undefined) return command.words.filter((word) => actions.has(word));
	return WRAPPERS.has(name) && command.name !== undefined ? [command.name] : [];
}

export function isWrapper(command: SimpleCommand): boolean {
	return wrapperWords(command).length > 0;
}

export function baseName(name: string): string {
	return name.slice(name.lastIndexOf('/') + 1);
}

const WRAPPERS = new Set(
	[
		'eval source . exec command builtin trap env xargs parallel sudo doas su runuser pkexec chroot unshare nsenter setpriv',
		'sh bash dash zsh ksh mksh ash fish csh tcsh busybox toybox script expect ssh mosh watch entr time timeout nohup nice',
		'ionice chrt taskset setsid stdbuf unbuffer flock strace ltrace gdb rlwrap caffeinate systemd-run at batch noglob nocorrect',
	].flatMap((line) => line.split(' ')),
);

/** Ordinary commands until one of these arguments makes them run or destroy something. */
const ACTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
	Object.entries({
		find: new Set(['-exec', '-execdir', '-ok', '-okdir', '-delete', '-fprint', '-fprint0', '-fprintf', '-fls']),
		fd: new Set(['-x', '--exec', '-X', '--exec-batch']),
	}),
);

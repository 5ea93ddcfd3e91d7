// For root only: a view of this machine in which only temporary files can be changed. Hostile lines run there.
import { startProgram } from '../program.ts';
import { waitFor } from '../wait-for.ts';

export type ReadOnlySystem = AsyncDisposable & {
	/** The argument vector that runs a line in bash there. */
	wrap(line: string, cwd: string): [string, ...string[]];
};

const DEADLINE_MS = 20_000;

const MOUNTS = `
mount --bind "$1" "$1" || exit 1
for folder in /*; do
	case $folder in /proc | /sys | /dev | /tmp | /run) continue ;; esac
	[ -d "$folder" ] && [ ! -L "$folder" ] || continue
	mount --rbind "$folder" "$folder" && mount -o remount,ro,bind "$folder" || exit 1
done
mount --bind "$2" "$2" && mount -o remount,ro,bind "$2" || exit 1
echo ready
exec sleep infinity`;

/** Other users cannot harm the system and get plain bash. Fails where root may not mount. The repository is read-only too, wherever it is. */
export async function createReadOnlySystem(writable: string): Promise<ReadOnlySystem> {
	if (process.getuid?.() !== 0)
		return { wrap: (line) => ['/bin/bash', '-c', line], [Symbol.asyncDispose]: () => Promise.resolve() };
	const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
	const argv = [
		'unshare',
		'--mount',
		'--propagation',
		'private',
		'/bin/sh',
		'-c',
		MOUNTS,
		'sh',
		writable,
		process.cwd(),
	] as const;
	const holder = await startProgram([...argv], { cwd: '/', env });
	const isReady = () => (holder.output().stdout.includes('ready') ? true : undefined);
	await waitFor(isReady, { deadlineMs: DEADLINE_MS, what: 'the read-only view of the system', seen: holder.output });
	const enter = 'cd "$1" && unset OLDPWD && exec /bin/bash -c "$2"';
	return {
		wrap: (line, cwd) => ['/usr/bin/nsenter', `--mount=/proc/${holder.pid}/ns/mnt`, '/bin/sh', '-c', enter, 'sh', cwd, line],
		[Symbol.asyncDispose]: () => holder.kill(),
	};
}

// Whoever reads standard output may leave early, as head does, and a terminal may be closed; that is no error.
import { EXIT } from './exit.ts';

let leave: () => void = endQuietly;

export function expectLeavingReader(): void {
	process.stdout.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
		leave();
	});
}

/** For a command that has something to bring to an end before it leaves; until it is disposed. */
export function onReaderLeft(action: () => void): Disposable {
	leave = action;
	return {
		[Symbol.dispose]() {
			leave = endQuietly;
		},
	};
}

function endQuietly(): void {
	process.exit(EXIT.ok);
}

// Says that the runner was started with another configuration than the one that is there now.
import { calledAs } from './called-as.ts';

let isReported = false;

/** Once, and not to programs, which may read errors as JSON. */
export function tellOldConfig(): void {
	if (isReported || process.argv.includes('--json')) return;
	isReported = true;
	process.stderr.write(
		`roost: config.yaml changed, but the runner still uses the old one. Restart it with "${calledAs()} down" and "${calledAs()} up --detach".\n`,
	);
}

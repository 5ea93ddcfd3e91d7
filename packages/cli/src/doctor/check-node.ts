// Whether this Node can run Roost.
import { fail, fine, type Said } from './finding.ts';

const OLDEST = 24;

export function checkNode(version: string): Said[] {
	const major = Number(version.split('.')[0]);
	if (major >= OLDEST) return [fine(version)];
	return [fail(`${version} is too old`, `Run Roost with Node ${OLDEST} or newer; the "roost" script of a checkout fetches it.`)];
}

// Roost in the browser: loading, requests, feeds, a hidden tab and sizes. Needs chromium.
import type { BenchRow } from './bench-row.ts';
import { measureAsks } from './web-asks.ts';
import { startFloorServer } from './web-floor.ts';
import { measureHidden } from './web-hidden.ts';
import { measureFeeds } from './web-live.ts';
import { measureLoad, measurePhone } from './web-load.ts';
import { startWebRig } from './web-rig.ts';
import { measureSizes } from './web-sizes.ts';

export async function run(): Promise<BenchRow[]> {
	await using rig = await startWebRig();
	using floor = await startFloorServer();
	return [
		...(await measureLoad(rig, floor)),
		...(await measureAsks(rig, floor)),
		...(await measureFeeds(rig, floor)),
		...(await measureHidden(rig)),
		...(await measurePhone(rig, floor)),
		...measureSizes(),
	];
}

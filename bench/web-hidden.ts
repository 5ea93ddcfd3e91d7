// A hidden tab: renders while events arrive, against the same tab in front.
import type { Tab } from '@roost/testkit/rigs/api/browser-tabs';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { COUNT_RENDERS } from '@roost/testkit/rigs/web/count-renders';
import { arrive } from './arrivals.ts';
import type { BenchRow } from './bench-row.ts';
import type { Report } from './hook-client.ts';
import type { WebRig } from './web-rig.ts';
import { toRow } from './web-row.ts';

const PER_SECOND = 100;
const SECONDS = 2;

export async function measureHidden(rig: WebRig): Promise<BenchRow[]> {
	await using tab = await rig.chromium.openTab(COUNT_RENDERS);
	await tab.open(await rig.link());
	await isTrue(tab, 'document.querySelector("[role=status][data-state=live]") !== null');
	await tab.open(rig.address('few'));
	await isTrue(tab, 'document.querySelector("[role=feed] article") !== null');
	const floorValue = await rendersWhile(tab, rig.agents.few.reports);
	await using other = await rig.chromium.openTab();
	await other.toFront();
	await isTrue(tab, 'document.visibilityState === "hidden"');
	const value = await rendersWhile(tab, rig.agents.few.reports);
	return [
		toRow(
			`hidden tab at ${PER_SECOND} events/s`,
			{ floor: 'the same tab in front', floorValue, value, unit: 'renders' },
			{ most: 0 },
		),
	];
}

async function rendersWhile(tab: Tab, agents: readonly Report[]): Promise<number> {
	const before = Number(await tab.run('return renders'));
	const payloadAt = (index: number) => ({
		hook_event_name: 'Notification',
		message: `Event ${index}`,
		notification_type: 'bench',
	});
	await arrive({ perSecond: PER_SECOND, count: PER_SECOND * SECONDS, agents, payloadAt, onDue: () => {} });
	return Number(await tab.run('return renders')) - before;
}

async function isTrue(tab: Tab, expression: string): Promise<void> {
	await waitFor(async () => (await tab.run(`return ${expression}`)) || undefined, { what: expression });
}

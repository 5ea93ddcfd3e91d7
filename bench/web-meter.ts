// CPU time of the main thread of a page, per frame, and the size of its heap.
import { numberIn, type Page } from './web-rig.ts';

export type Meter = {
	/** Milliseconds of CPU time of the main thread per frame, everything included. */
	perFrame(during: () => Promise<unknown>): Promise<number>;
	/** In megabytes, after a collection. */
	heap(): Promise<number>;
};

/** Counts the frames of every page. */
export const FRAMES = `
	window.frames_ = 0;
	const count = () => { window.frames_++; requestAnimationFrame(count); };
	requestAnimationFrame(count);
`;

const MB = 1_024 * 1_024;

export async function openMeter(page: Page): Promise<Meter> {
	const session = await page.context().newCDPSession(page);
	await session.send('Performance.enable', { timeDomain: 'threadTicks' });
	async function metric(name: string): Promise<number> {
		const { metrics } = await session.send('Performance.getMetrics');
		return metrics.find((each) => each.name === name)?.value ?? Number.NaN;
	}
	return {
		async perFrame(during) {
			const [cpu, frames] = [await metric('TaskDuration'), await numberIn(page, 'return frames_')];
			await during();
			const [cpuAfter, framesAfter] = [await metric('TaskDuration'), await numberIn(page, 'return frames_')];
			return ((cpuAfter - cpu) * 1_000) / (framesAfter - frames);
		},
		async heap() {
			await session.send('HeapProfiler.collectGarbage');
			return (await metric('JSHeapUsedSize')) / MB;
		},
	};
}

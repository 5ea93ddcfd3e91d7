// Cost or tokens per day as bars. The table below has the same figures, for the keyboard and for screen readers.
import 'uplot/dist/uPlot.min.css';
import { allTokens, amountInWords, costInWords } from '@roost/core/views/usage-report-words';
import type { UsageGroup } from '@roost/protocol/api/usage';
import { useEffect, useMemo, useRef, useState } from 'react';
import UPlot from 'uplot';
import { type DayValue, fillDays } from './fill-days.ts';
import styles from './usage.module.css';
import type { Figure } from './usage-address.ts';

const HEIGHT = 200;

export function UsageChart({ groups, figure }: { groups: readonly UsageGroup[]; figure: Figure }) {
	const place = useRef<HTMLDivElement>(null);
	const [at, setAt] = useState<number | null>(null);
	const days = useMemo(() => fillDays(groups), [groups]);
	useEffect(() => (place.current ? draw(place.current, days, { figure, onPoint: setAt }) : undefined), [days, figure]);
	const pointed = at === null ? undefined : days[at];
	return (
		<figure className={styles.figure}>
			<div ref={place} className={styles.chart} role="img" aria-label={`${LABELS[figure]} per day, as in the table`} />
			<figcaption className={styles.pointed}>{pointed === undefined ? LABELS[figure] + PER_DAY : dayInWords(pointed)}</figcaption>
		</figure>
	);
}

const LABELS: Readonly<Record<Figure, string>> = { cost: 'Cost', tokens: 'Tokens' };
const PER_DAY = ' per day';

function dayInWords({ day, group }: DayValue): string {
	return group === undefined ? `${day}: none` : `${day}: ${costInWords(group)}, ${amountInWords(allTokens(group.tokens))} tokens`;
}

type Drawing = { figure: Figure; onPoint: (at: number | null) => void };

/** Returns the function that removes it. */
function draw(place: HTMLElement, days: readonly DayValue[], { figure, onPoint }: Drawing): () => void {
	const values = days.map(({ group }) => (group === undefined ? 0 : figureOf(group, figure)));
	const size = () => ({ width: place.clientWidth, height: HEIGHT });
	const hooks = { setCursor: [({ cursor }: UPlot) => onPoint(cursor.idx ?? null)] };
	const chart = new UPlot({ ...size(), ...optionsOf(place, figure), hooks }, [days.map(({ at }) => at), values], place);
	const resized = new ResizeObserver(() => chart.setSize(size()));
	resized.observe(place);
	const scheme = matchMedia('(prefers-color-scheme: dark)');
	const redraw = () => chart.redraw(false);
	scheme.addEventListener('change', redraw);
	return () => {
		scheme.removeEventListener('change', redraw);
		resized.disconnect();
		chart.destroy();
	};
}

function figureOf({ costUsdEstimate, tokens }: UsageGroup, figure: Figure): number {
	return figure === 'cost' ? costUsdEstimate : allTokens(tokens);
}

/** A canvas knows no tokens of the style sheet: the element around it has their colours, which are read at every drawing. */
function optionsOf(place: HTMLElement, figure: Figure): Pick<UPlot.Options, 'legend' | 'cursor' | 'scales' | 'axes' | 'series'> {
	const text = () => getComputedStyle(place).color;
	const line = () => getComputedStyle(place).borderTopColor;
	const bar = () => getComputedStyle(place).outlineColor;
	const axis: UPlot.Axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { show: false } };
	const amount = (value: number) => (figure === 'cost' ? `$${value < 10 ? value.toFixed(2) : value}` : amountInWords(value));
	const paths = UPlot.paths.bars?.({ size: [0.7, 32], radius: 0.15 });
	return {
		legend: { show: false },
		cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
		scales: {
			x: { range: (_, first, last) => [first - HALF_A_DAY, last + HALF_A_DAY] },
			y: { range: (_, __, most) => [0, most * 1.1 || 1] },
		},
		axes: [
			{
				...axis,
				size: 28,
				grid: { show: false },
				incrs: DAYS.map((days) => days * 86_400),
				values: (_, splits) => splits.map(toDayLabel),
			},
			{ ...axis, size: 64, values: (_, splits) => splits.map(amount) },
		],
		series: [{}, { fill: bar, width: 0, points: { show: false }, ...(paths === undefined ? {} : { paths }) }],
	};
}

const HALF_A_DAY = 43_200;
/** Between two labels. */
const DAYS = [1, 2, 7, 14, 30, 90, 365];

function toDayLabel(seconds: number): string {
	return new Date(seconds * 1_000).toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
}

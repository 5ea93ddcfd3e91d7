import { describeConformance } from '../conformance/conformance.contract.ts';
import { parrotStage } from './parrot.stage.contract.ts';

describeConformance(parrotStage, new URL('./parrot-matrix.json', import.meta.url));

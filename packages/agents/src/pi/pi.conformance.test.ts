import { describeConformance } from '../conformance/conformance.contract.ts';
import { piStage } from './pi.stage.contract.ts';

describeConformance(piStage);

import { judgeHere } from '../../cases/judge-here';
import { describeVariants } from '../../cases/variants/index';

describeVariants(() => judgeHere);

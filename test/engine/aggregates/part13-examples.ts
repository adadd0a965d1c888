// The worked examples of OPC UA Part 13 (Annex A, as data in Schema/AggregateExamples.csv of OPCFoundation/UA-Nodeset, 1.05.02;
// MIT licence). All ranges run from 12:00:00 to 12:01:40.
//
// A line is function | historian | interval in s | results. A result stands at the start of its interval, unless it has a
// time (@). "-" is no value. Behind it: G good, U and US uncertain, B and BND bad; behind the dot what is not told here.

/** Time in mm:ss after 12 h, value, status; "-" is no value. Points that say that there was nothing before are left out. */
export const RAW_DATA: Readonly<Record<string, string>> = {
  H1: '00:10 10 G; 00:20 20 G; 00:30 30 G; 00:40 - B; 00:50 50 G; 01:00 60 G; 01:10 70 U; 01:20 80 G; 01:30 90 G',
  H2: '00:02 10 G; 00:25 20 G; 00:28 25 G; 00:39 30 G; 00:42 - B; 00:48 40 G; 00:52 50 G; 01:12 60 G; 01:17 70 U; 01:23 70 G; 01:26 80 G; 01:30 90 G',
  H3: '00:02 10 G; 00:25 20 G; 00:28 25 G; 00:39 30 G; 00:42 - B; 00:48 40 G; 00:52 50 G; 01:12 60 G; 01:17 70 U; 01:23 70 G; 01:26 80 G; 01:30 90 G',
  H4: '00:02 true G; 00:25 false G; 00:28 true G; 00:39 true G; 00:42 - B; 00:48 true G; 00:52 false G; 01:12 false G; 01:17 true U; 01:23 true G; 01:26 false G; 01:30 true G',
  H5: '00:02 10 G; 00:25 20 G; 00:28 10 G; 00:39 30 G; 00:42 - B; 00:48 30 G; 00:52 50 G; 01:12 30 G; 01:17 70 U; 01:23 70 G; 01:26 80 G; 01:30 70 G',
};

export const EXPECTED = `
Interpolative|1|5|- BND ; - BND ; 10 G ; 15 G.i ; 20 G ; 25 G.i ; 30 G ; 35 US.i ; 40 US.i ; 45 US.i ; 50 G ; 55 G.i ; 60 G ; 65 US.i ; 70 U ; 75 US.i ; 80 G ; 85 G.i ; 90 G ; 90 US.i
Interpolative|2|5|- BND ; 11.304 G.i ; 13.478 G.i ; 15.652 G.i ; 17.826 G.i ; 20 G ; 25.909 G.i ; 28.182 G.i ; 31.111 US.i ; 36.667 US.i ; 45 G.i ; 51.500 G.i ; 54 G.i ; 56.500 G.i ; 59 G.i ; 62.727 US.i ; 67.273 US.i ; 76.667 G.i ; 90 G ; 102.500 US.i
Interpolative|3|5|- BND ; 10 G.i ; 10 G.i ; 10 G.i ; 10 G.i ; 20 G ; 25 G.i ; 25 G.i ; 30 G.i ; 30 US.i ; 40 G.i ; 50 G.i ; 50 G.i ; 50 G.i ; 50 G.i ; 60 G.i ; 60 US.i ; 70 G.i ; 90 G ; 90 US.i
Interpolative|5|5|- BND ; 11.3043 G.i ; 13.4783 G.i ; 15.6522 G.i ; 17.8261 G.i ; 20 G ; 13.6364 G.i ; 22.7273 G.i ; 30 US.i ; 30 US.i ; 40 G.i ; 47 G.i ; 42 G.i ; 37 G.i ; 32 G.i ; 54 US.i ; 70 US.i ; 76.6667 G.i ; 70 G ; 70 US.i
Average|1|5|- BND ; - BND ; 10 G.c ; - BND ; 20 G.c ; - BND ; 30 G.c ; - BND ; - BND ; - BND ; 50 G.c ; - BND ; 60 G.c ; - BND ; - BND ; - BND ; 80 G.c ; - BND ; 90 G.c ; - BND
Average|2|5|10 G.c ; - BND ; - BND ; - BND ; - BND ; 22.500 G.c ; - BND ; 30 G.c ; - BND ; 40 G.c ; 50 G.c ; - BND ; - BND ; - BND ; 60 G.c ; - BND ; 70 G.c ; 80 G.c ; 90 G.c ; - BND
Average|3|5|10 G.c ; - BND ; - BND ; - BND ; - BND ; 22.500 G.c ; - BND ; 30 G.c ; - BND ; 40 G.c ; 50 G.c ; - BND ; - BND ; - BND ; 60 G.c ; - BND ; 70 G.c ; 80 G.c ; 90 G.c ; - BND
Average|5|5|10 G.c ; - BND ; - BND ; - BND ; - BND ; 15 G.c ; - BND ; 30 G.c ; - BND ; 30 G.c ; 50 G.c ; - BND ; - BND ; - BND ; 30 G.c ; - BND ; 70 G.c ; 80 G.c ; 70 G.c ; - BND
TimeAverage|1|5|- BND ; - BND ; 12.500 G.c ; 17.500 G.c ; 22.500 G.c ; 27.500 G.c ; 32.500 US.c ; 37.500 US.c ; 42.500 US.c ; 47.500 US.c ; 52.500 G.c ; 57.500 G.c ; 62.500 US.c ; 67.500 US.c ; 72.500 US.c ; 77.500 US.c ; 82.500 G.c ; 87.500 G.c ; 90 US.cp ; - BND
TimeAverage|2|5|10.652 US.cp ; 12.391 G.c ; 14.565 G.c ; 16.739 G.c ; 18.913 G.c ; 23.682 G.c ; 27.045 G.c ; 29.384 US.c ; 33.889 US.c ; 40 US.c ; 49.450 G.c ; 52.750 G.c ; 55.250 G.c ; 57.750 G.c ; 60.618 US.c ; 65 US.c ; 70.515 US.c ; 83.667 G.c ; 96.250 US.cp ; - BND
TimeAverage|3|5|10.652 US.cp ; 12.391 G.c ; 14.565 G.c ; 16.739 G.c ; 18.913 G.c ; 23.682 G.c ; 27.045 G.c ; 29.384 US.c ; 33.889 US.c ; 40 US.c ; 49.450 G.c ; 52.750 G.c ; 55.250 G.c ; 57.750 G.c ; 60.618 US.c ; 65 US.c ; 70.515 US.c ; 83.667 G.c ; 90 US.cp ; - BND
TimeAverage|5|5|10.6522 US.cp ; 12.3913 G.c ; 14.5652 G.c ; 16.7391 G.c ; 18.9130 G.c ; 13.7273 G.c ; 18.1818 G.c ; 27.0909 US.c ; 30 US.c ; 32 US.c ; 47.1000 G.c ; 44.500 G.c ; 39.500 G.c ; 34.500 G.c ; 37.6000 US.c ; 66.8000 US.c ; 71.3333 US.c ; 75.6667 G.c ; 70 US.cp ; - BND
TimeAverage2|1|5|- BND ; - BND ; 12.500 G.c ; 17.500 G.c ; 22.500 G.c ; 27.500 G.c ; 30 G.c ; 30 G.c ; - BND ; - BND ; 52.500 G.c ; 57.500 G.c ; 62.500 G.c ; 67.500 G.c ; 72.500 G.c ; 77.500 G.c ; 82.500 G.c ; 87.500 G.c ; 90 G.cp ; - BND
TimeAverage2|2|5|10.652 US.cp ; 12.391 G.c ; 14.565 G.c ; 16.739 G.c ; 18.913 G.c ; 23.682 G.c ; 27.045 G.c ; 29.273 US.c ; - B.c ; 42.500 US.c ; 49.450 G.c ; 52.750 G.c ; 55.250 G.c ; 57.750 G.c ; 59.800 US.c ; - B.c ; 73.333 US.c ; 83.667 G.c ; - B.cp ; - BND
TimeAverage2|3|5|10 G.cp ; 10 G.c ; 10 G.c ; 10 G.c ; 10 G.c ; 22 G.c ; 25 G.c ; 26 G.c ; 30 US.c ; 40 US.c ; 46 G.c ; 50 G.c ; 50 G.c ; 50 G.c ; 56 G.c ; 60 US.c ; 70 US.c ; 78 G.c ; 90 G.cp ; - BND
TimeAverage2|5|5|10.6522 US.cp ; 12.3913 G.c ; 14.5652 G.c ; 16.7391 G.c ; 18.9130 G.c ; 13.7273 G.c ; 18.1818 G.c ; 27.0909 G.c ; 30 US.c ; 35 US.c ; 47.1000 G.c ; 44.500 G.c ; 39.500 G.c ; 34.500 G.c ; 37.6000 G.c ; 66.8000 G.c ; 71.3333 G.c ; 75.6667 G.c ; 70 G.cp ; - BND
Total|1|5|- BND ; - BND ; 62.500 G.c ; 87.500 G.c ; 112.500 G.c ; 137.500 G.c ; 162.500 US.c ; 187.500 US.c ; 212.500 US.c ; 237.500 US.c ; 262.500 G.c ; 287.500 G.c ; 312.500 US.c ; 337.500 US.c ; 362.500 US.c ; 387.500 US.c ; 412.500 G.c ; 437.500 G.c ; 450 US.cp ; - BND
Total|2|5|31.957 US.cp ; 61.957 G.c ; 72.826 G.c ; 83.696 G.c ; 94.565 G.c ; 118.409 G.c ; 135.227 G.c ; 146.919 US.c ; 169.444 US.c ; 200 US.c ; 247.250 G.c ; 263.750 G.c ; 276.250 G.c ; 288.750 G.c ; 303.091 US.c ; 325 US.c ; 352.576 US.c ; 418.333 G.c ; 481.250 US.cp ; - BND
Total|3|5|30 US.cp ; 50 G.c ; 50 G.c ; 50 G.c ; 50 G.c ; 110 G.c ; 125 G.c ; 130 G.c ; 150 US.c ; 170 US.c ; 230 G.c ; 250 G.c ; 250 G.c ; 250 G.c ; 280 G.c ; 300 US.c ; 320 US.c ; 390 G.c ; 450 US.cp ; - BND
Total|5|5|31.9565 US.cp ; 61.9565 G.c ; 72.8261 G.c ; 83.6957 G.c ; 94.5652 G.c ; 68.6364 G.c ; 90.9091 G.c ; 135.4545 US.c ; 150 US.c ; 160 US.c ; 235.500 G.c ; 222.500 G.c ; 197.500 G.c ; 172.500 G.c ; 188 US.c ; 334 US.c ; 356.6667 US.c ; 378.3333 G.c ; 350 US.cp ; - BND
Total2|1|5|- BND ; - BND ; 62.500 G.c ; 87.500 G.c ; 112.500 G.c ; 137.500 G.c ; 150 G.c ; 150 G.c ; - BND ; - BND ; 262.500 G.c ; 287.500 G.c ; 312.500 G.c ; 337.500 G.c ; 362.500 G.c ; 387.500 G.c ; 412.500 G.c ; 437.500 G.c ; 0.090 G.cp ; - BND
Total2|2|5|31.957 US.cp ; 61.957 G.c ; 72.826 G.c ; 83.696 G.c ; 94.565 G.c ; 118.409 G.c ; 135.227 G.c ; 146.364 US.c ; - B.c ; 85 US.c ; 247.250 G.c ; 263.750 G.c ; 276.250 G.c ; 288.750 G.c ; 299 US.c ; - B.c ; 146.667 US.c ; 418.333 G.c ; - B.cp ; - BND
Total2|3|5|30 G.cp ; 50 G.c ; 50 G.c ; 50 G.c ; 50 G.c ; 110 G.c ; 125 G.c ; 130 G.c ; 60 US.c ; 80 US.c ; 230 G.c ; 250 G.c ; 250 G.c ; 250 G.c ; 280 G.c ; 120 US.c ; 140 US.c ; 390 G.c ; 0.090 G.cp ; - BND
Total2|5|5|31.9565 US.cp ; 61.9565 G.c ; 72.8261 G.c ; 83.6957 G.c ; 94.5652 G.c ; 68.6364 G.c ; 90.9091 G.c ; 135.4545 G.c ; 60 US.c ; 70 US.c ; 235.500 G.c ; 222.500 G.c ; 197.500 G.c ; 172.500 G.c ; 188 G.c ; 334 G.c ; 356.6667 G.c ; 378.3333 G.c ; 0.07 G.cp ; - BND
Minimum|1|16|10 G.cp ; 20 G.c ; - BND ; 50 G.c ; - BND ; 80 G.p ; - BND
Minimum|2|16|10 G.cp ; 20 G.c ; 30 US.c ; 40 G ; 60 US.c ; 70 G.cp ; - BND
Minimum|3|16|10 G.cp ; 20 G.c ; 30 US.c ; 40 G ; 60 US.c ; 70 G.cp ; - BND
Minimum|5|16|10 G.cp ; 10 G.c ; 30 US.c ; 30 G ; 30 G.c ; 70 G.cmp ; - BND
Maximum|1|16|10 G.cp ; 30 G.c ; - BND ; 60 G.c ; - BND ; 90 G.cp ; - BND
Maximum|2|16|10 G.cp ; 25 G.c ; 30 US.c ; 50 G.c ; 60 US.c ; 90 G.cp ; - BND
Maximum|3|16|10 G.cp ; 25 G.c ; 30 US.c ; 50 G.c ; 60 US.c ; 90 G.cp ; - BND
Maximum|5|16|10 G.cp ; 20 G.c ; 30 US.c ; 50 G.c ; 30 G.c ; 80 G.cp ; - BND
MinimumActualTime|1|16|@12:00:10 10 G.p ; @12:00:20 20 G ; - BND ; @12:00:50 50 G ; - BND ; 80 G.p ; - BND
MinimumActualTime|2|16|@12:00:02 10 G.p ; @12:00:25 20 G ; @12:00:39 30 US ; 40 G ; @12:01:12 60 US ; @12:01:23 70 G.p ; - BND
MinimumActualTime|3|16|@12:00:02 10 G.p ; @12:00:25 20 G ; @12:00:39 30 US ; 40 G ; @12:01:12 60 US ; @12:01:23 70 G.p ; - BND
MinimumActualTime|5|16|@12:00:02 10 G.p ; @12:00:28 10 G ; @12:00:39 30 US ; 30 G ; @12:01:12 30 G ; @12:01:23 70 G.mp ; - BND
MaximumActualTime|1|16|@12:00:10 10 G.p ; @12:00:30 30 G ; - BND ; @12:01:00 60 G ; - BND ; @12:01:30 90 G.p ; - BND
MaximumActualTime|2|16|@12:00:02 10 G.p ; @12:00:28 25 G ; @12:00:39 30 US ; @12:00:52 50 G ; @12:01:12 60 US ; @12:01:30 90 G.p ; - BND
MaximumActualTime|3|16|@12:00:02 10 G.p ; @12:00:28 25 G ; @12:00:39 30 US ; @12:00:52 50 G ; @12:01:12 60 US ; @12:01:30 90 G.p ; - BND
MaximumActualTime|5|16|@12:00:02 10 G.p ; @12:00:25 20 G ; @12:00:39 30 US ; @12:00:52 50 G ; @12:01:12 30 G ; @12:01:26 80 G.p ; - BND
Range|1|16|0 G.cp ; 10 G.c ; - BND ; 10 G.c ; - BND ; 10 G.cp ; - BND
Range|2|16|0 G.cp ; 5 G.c ; 0 US.c ; 10 G.c ; 0 US.c ; 20 G.cp ; - BND
Range|3|16|0 G.cp ; 5 G.c ; 0 US.c ; 10 G.c ; 0 US.c ; 20 G.cp ; - BND
Range|5|16|0 G.cp ; 10 G.c ; 0 US.c ; 20 G.c ; 0 G.c ; 10 G.cp ; - BND
Minimum2|1|16|10 US.cp ; 16 G.i ; 30 US.i ; 50 US.c ; 64 G.i ; 80 G.p ; - BND
Minimum2|2|16|10 US.cp ; 16.0870 G.i ; 26.818 US.i ; 40 G ; 56 US.i ; 70 US.cp ; - BND
Minimum2|3|16|10 G.cp ; 10 G.i ; 25 G.i ; 40 G ; 50 G.i ; 70 G.cp ; - BND
Minimum2|5|16|10 US.cp ; 10 G.c ; 17.2727 US.i ; 30 G ; 30 G.c ; 70 G.imp ; - BND
Maximum2|1|16|16 US.ip ; 30 G.cm ; 30 US.i ; 64 US.i ; 80 G.c ; 90 G.cp ; - BND
Maximum2|2|16|16.0870 US.ip ; 26.818 G.i ; 40 US.c ; 56 G.i ; 60 US.c ; 90 US.cp ; - BND
Maximum2|3|16|10 G.cp ; 25 G.c ; 30 G.c ; 50 G.c ; 60 G.c ; 90 G.cp ; - BND
Maximum2|5|16|16.0870 US.ip ; 20 G.c ; 30 US.cm ; 50 G.c ; 70 G.cm ; 80 G.cp ; - BND
MinimumActualTime2|1|16|@12:00:10 10 US.p ; 16 G.i ; 30 US.i ; @12:00:50 50 US ; 64 G.i ; 80 G.p ; - BND
MinimumActualTime2|2|16|@12:00:02 10 US.p ; 16.087 G.i ; 26.818 US.i ; 40 G ; 56 US.i ; @12:01:23 70 US.p ; - BND
MinimumActualTime2|3|16|@12:00:02 10 G.p ; 10 G.i ; 25 G.i ; 40 G ; 50 G.i ; @12:01:23 70 G.p ; - BND
MinimumActualTime2|5|16|@12:00:02 10 US.p ; @12:00:28 10 G ; 17.2727 US.i ; 30 G ; @12:01:12 30 G ; 70 G.imp ; - BND
MaximumActualTime2|1|16|@12:00:15.999 16 US.ip ; @12:00:30 30 G.m ; 30 US.i ; @12:01:03.999 64 US.i ; @12:01:19.999 80 G.i ; @12:01:30 90 G.p ; - BND
MaximumActualTime2|2|16|@12:00:15.999 16.087 US.ip ; @12:00:31.999 26.818 G.i ; @12:00:47.999 40 US.i ; @12:01:03.999 56 G.i ; @12:01:12 60 US ; @12:01:30 90 US.p ; - BND
MaximumActualTime2|3|16|@12:00:02 10 G.p ; @12:00:28 25 G ; @12:00:39 30 G ; @12:00:52 50 G ; @12:01:12 60 G ; @12:01:30 90 G.p ; - BND
MaximumActualTime2|5|16|@12:00:15.999 16.0870 US.ip ; @12:00:25 20 G ; @12:00:39 30 US.m ; @12:00:52 50 G ; @12:01:17 70 G.m ; @12:01:26 80 G.p ; - BND
Range2|1|16|6 US.cp ; 14 G.c ; 0 US.c ; 14 US.c ; 16 G.c ; 10 G.cp ; - BND
Range2|2|16|6.087 US.cp ; 10.731 G.c ; 13.182 US.c ; 16 G.c ; 4 US.c ; 20 US.cp ; - BND
Range2|3|16|0 G.cp ; 15 G.c ; 5 G.c ; 10 G.c ; 10 G.c ; 20 G.cp ; - BND
Range2|5|16|6.0870 US.cp ; 10 G.c ; 12.7273 US.c ; 20 G.c ; 40 G.c ; 10 G.cp ; - BND
Count|1|16|1 G.cp ; 2 G.c ; - B ; 2 G.c ; 0 US.c ; 2 G.cp ; - BND
Count|2|16|1 G.cp ; 2 G.c ; 1 US.c ; 2 G.c ; 1 US.c ; 3 G.cp ; - BND
Count|3|16|1 G.cp ; 2 G.c ; 1 G.c ; 2 G.c ; 1 G.c ; 3 G.cp ; - BND
Count|4|16|1 G.cp ; 2 G.c ; 1 US.c ; 2 G.c ; 1 US.c ; 3 G.cp ; - BND
Count|5|16|1 G.cp ; 2 G.c ; 1 US.c ; 2 G.c ; 1 US.c ; 3 G.cp ; - BND
DurationInStateZero|1|16|0 US.cp ; 0 G.c ; 0 US.c ; 0 US.c ; 0 G.c ; 0 G.cp ; - BND
DurationInStateZero|2|16|0 US.cp ; 0 G.c ; 0 US.c ; 0 G.c ; 0 US.c ; 0 US.cp ; - BND
DurationInStateZero|3|16|0 G.cp ; 0 G.c ; 0 G.c ; 0 G.c ; 0 G.c ; 0 G.cp ; - BND
DurationInStateZero|4|16|0 US.cp ; 3000 G.c ; 0 US.c ; 12000 G.c ; 13000 US.c ; 4000 US.cp ; - BND
DurationInStateZero|5|16|0 US.cp ; 0 G.c ; 0 US.c ; 0 G.c ; 0 G.c ; 0 G.cp ; - BND
DurationInStateNonZero|1|16|6000 US.cp ; 16000 G.c ; 0 US.c ; 14000 US.c ; 0 G.c ; 10001 G.cp ; - BND
DurationInStateNonZero|2|16|14000 US.cp ; 16000 G.c ; 10000 US.c ; 16000 G.c ; 13000 US.c ; 7001 US.cp ; - BND
DurationInStateNonZero|3|16|14000 G.cp ; 16000 G.c ; 10000 G.c ; 16000 G.c ; 13000 G.c ; 7001 G.cp ; - BND
DurationInStateNonZero|4|16|14000 US.cp ; 13000 G.c ; 10000 US.c ; 4000 G.c ; 0 US.c ; 3001 US.cp ; - BND
DurationInStateNonZero|5|16|14000 US.cp ; 16000 G.c ; 10000 US.c ; 16000 G.c ; 13000 G.c ; 7001 G.cp ; - BND
NumberOfTransitions|1|16|1 G.cp ; 2 G.c ; - B ; 2 G.c ; 1 US.c ; 2 G.cp ; - BND
NumberOfTransitions|2|16|1 G.cp ; 2 G.c ; 1 US.c ; 2 G.c ; 1 US.c ; 3 G.cp ; - BND
NumberOfTransitions|3|16|1 G.cp ; 2 G.c ; 1 G.c ; 2 G.c ; 1 G.c ; 3 G.cp ; - BND
NumberOfTransitions|4|16|1 G.cp ; 2 G.c ; 0 US.c ; 1 G.c ; 0 US.c ; 3 G.cp ; - BND
NumberOfTransitions|5|16|1 G.cp ; 2 G.c ; 1 US.c ; 1 G.c ; 2 US.c ; 2 G.cp ; - BND
Start|1|16|@12:00:10 10 G.p ; @12:00:20 20 G ; @12:00:40 - B ; @12:00:50 50 G ; @12:01:10 70 U ; 80 G.p ; - BND
Start|2|16|@12:00:02 10 G.p ; @12:00:25 20 G ; @12:00:39 30 G ; 40 G ; @12:01:12 60 G ; @12:01:23 70 G.p ; - BND
Start|3|16|@12:00:02 10 G.p ; @12:00:25 20 G ; @12:00:39 30 G ; 40 G ; @12:01:12 60 G ; @12:01:23 70 G.p ; - BND
Start|5|16|@12:00:02 10 G.p ; @12:00:25 20 G ; @12:00:39 30 G ; 30 G ; @12:01:12 30 G ; @12:01:23 70 G.p ; - BND
End|1|16|@12:00:10 10 G.p ; @12:00:30 30 G ; @12:00:40 - B ; @12:01:00 60 G ; @12:01:10 70 U ; @12:01:30 90 G.p ; - BND
End|2|16|@12:00:02 10 G.p ; @12:00:28 25 G ; @12:00:42 - B ; @12:00:52 50 G ; @12:01:17 70 U ; @12:01:30 90 G.p ; - BND
End|3|16|@12:00:02 10 G.p ; @12:00:28 25 G ; @12:00:42 - B ; @12:00:52 50 G ; @12:01:17 70 U ; @12:01:30 90 G.p ; - BND
End|5|16|@12:00:02 10 G.p ; @12:00:28 10 G ; @12:00:42 - B ; @12:00:52 50 G ; @12:01:17 70 U ; @12:01:30 70 G.p ; - BND
Delta|1|16|0 G.cp ; 10 G.c ; - BND ; 10 G.c ; - BND ; 10 G.cp ; - BND
Delta|2|16|0 G.cp ; 5 G.c ; 0 US.c ; 10 G.c ; 0 US.c ; 20 G.cp ; - BND
Delta|3|16|0 G.cp ; 5 G.c ; 0 US.c ; 10 G.c ; 0 US.c ; 20 G.cp ; - BND
Delta|5|16|0 G.cp ; -10 G.c ; 0 US.c ; 20 G.c ; 0 US.c ; 0 G.cp ; - BND
StartBound|1|16|- BND.p ; 16 G.i ; 30 US.i ; - BND ; 64 US.i ; 80 G.p ; - BND
StartBound|2|16|- BND.p ; 16.087 G.i ; 26.818 G.i ; 40 G ; 56 G.i ; - BND.p ; - BND
StartBound|3|16|- BND.p ; 10 G.i ; 25 G.i ; 40 G ; 50 G.i ; - BND.p ; - BND
StartBound|5|16|- BND.p ; 16.0870 G.i ; 17.2727 G.i ; 30 G ; 38 G.i ; 70 US.ip ; - BND
EndBound|1|16|16 G.cp ; 30 US.c ; - BND ; 64 US.c ; 80 G.c ; - BND.p ; - BND
EndBound|2|16|16.087 G.cp ; 26.818 G.c ; 40 G.c ; 56 G.c ; - BND ; - BND.p ; - BND
EndBound|3|16|10 G.cp ; 25 G.c ; 40 G.c ; 50 G.c ; - BND ; - BND.p ; - BND
EndBound|5|16|16.0870 G.cp ; 17.2727 G.c ; 30 G.c ; 38 G.c ; 70 US.c ; - BND.p ; - BND
DeltaBounds|1|16|- BND.p ; 14 US.c ; - BND ; - BND ; 16 US.c ; - BND.p ; - BND
DeltaBounds|2|16|- BND.p ; 10.731 G.c ; 13.182 G.c ; 16 G.c ; - BND ; - BND.p ; - BND
DeltaBounds|3|16|- BND.p ; 15 G.c ; 15 G.c ; 10 G.c ; - BND ; - BND.p ; - BND
DeltaBounds|5|16|- BND.p ; 1.1858 G.c ; 12.7273 G.c ; 8 G.c ; 32 US.c ; - BND.p ; - BND
DurationGood|1|16|6000 G.cp ; 16000 G.c ; 0 G.c ; 14000 G.c ; 0 G.c ; 10001 G.cp ; - BND
DurationGood|2|16|14000 G.cp ; 16000 G.c ; 10000 G.c ; 16000 G.c ; 13000 G.c ; 7001 G.cp ; - BND
DurationGood|3|16|14000 G.cp ; 16000 G.c ; 10000 G.c ; 16000 G.c ; 13000 G.c ; 7001 G.cp ; - BND
DurationGood|4|16|14000 G.cp ; 16000 G.c ; 10000 G.c ; 16000 G.c ; 13000 G.c ; 7001 G.cp ; - BND
DurationGood|5|16|14000 G.cp ; 16000 G.c ; 10000 G.c ; 16000 G.c ; 13000 G.c ; 7001 G.cp ; - BND
DurationBad|1|16|10000 G.cp ; 0 G.c ; 8000 G.c ; 2000 G.c ; 0 G.c ; 0 G.cp ; - BND
DurationBad|2|16|2000 G.cp ; 0 G.c ; 6000 G.c ; 0 G.c ; 3000 G.c ; 3000 G.cp ; - BND
DurationBad|3|16|2000 G.cp ; 0 G.c ; 6000 G.c ; 0 G.c ; 3000 G.c ; 0 G.cp ; - BND
DurationBad|4|16|2000 G.cp ; 0 G.c ; 6000 G.c ; 0 G.c ; 3000 G.c ; 0 G.cp ; - BND
DurationBad|5|16|2000 G.cp ; 0 G.c ; 6000 G.c ; 0 G.c ; 0 G.c ; 0 G.cp ; - BND
PercentGood|1|16|37.500 G.cp ; 100 G.c ; 0 G.c ; 87.500 G.c ; 0 G.c ; 100 G.cp ; - BND
PercentGood|2|16|87.500 G.cp ; 100 G.c ; 62.500 G.c ; 100 G.c ; 81.2500 G.c ; 70.003 G.cp ; - BND
PercentGood|3|16|87.500 G.cp ; 100 G.c ; 62.500 G.c ; 100 G.c ; 81.250 G.c ; 70.003 G.cp ; - BND
PercentGood|4|16|87.500 G.cp ; 100 G.c ; 62.500 G.c ; 100 G.c ; 81.2500 G.c ; 70.003 G.cp ; - BND
PercentGood|5|16|87.500 G.cp ; 100 G.c ; 62.500 G.c ; 100 G.c ; 81.2500 G.c ; 70.003 G.cp ; - BND
PercentBad|1|16|62.500 G.cp ; 0 G.c ; 50 G.c ; 12.500 G.c ; 0 G.c ; 0 G.cp ; - BND
PercentBad|2|16|12.500 G.cp ; 0 G.c ; 37.500 G.c ; 0 G.c ; 18.7500 G.c ; 29.997 G.cp ; - BND
PercentBad|3|16|12.500 G.cp ; 0 G.c ; 37.500 G.c ; 0 G.c ; 18.7500 G.c ; 0 G.cp ; - BND
PercentBad|4|16|12.500 G.cp ; 0 G.c ; 37.500 G.c ; 0 G.c ; 18.7500 G.c ; 0 G.cp ; - BND
PercentBad|5|16|12.500 G.cp ; 0 G.c ; 37.500 G.c ; 0 G.c ; 0 G.c ; 0 G.cp ; - BND
WorstQuality|1|16|Good G.cp ; Good G.c ; Bad G.c ; Good G.c ; Uncertain G.c ; Good G.cp ; - BND
WorstQuality|2|16|Good G.cp ; Good G.c ; Bad G.c ; Good G.c ; Uncertain G.c ; Good G.cp ; - BND
WorstQuality|3|16|Good G.cp ; Good G.c ; Bad G.c ; Good G.c ; Uncertain G.c ; Good G.cp ; - BND
WorstQuality|4|16|Good G.cp ; Good G.c ; Bad G.c ; Good G.c ; Uncertain G.c ; Good G.cp ; - BND
WorstQuality|5|16|Good G.cp ; Good G.c ; Bad G.c ; Good G.c ; Uncertain G.c ; Good G.cp ; - BND
WorstQuality2|1|16|BadNoData G.cp ; UncertainDataSubNormal G.c ; Bad G.cm ; BadNoData G.c ; UncertainDataSubNormal G.cm ; BadNoData G.cp ; - BND
WorstQuality2|2|16|BadNoData G.cp ; Good G.c ; Bad G.c ; Good G.c ; BadNoData G.c ; BadNoData G.cpm ; - BND
WorstQuality2|3|16|BadNoData G.cp ; Good G.c ; Bad G.c ; Good G.c ; Uncertain G.cm ; BadNoData G.cp ; - BND
WorstQuality2|4|16|BadNoData G.cp ; Good G.c ; Bad G.c ; Good G.c ; Uncertain G.cm ; BadNoData G.cp ; - BND
WorstQuality2|5|16|BadNoData G.cp ; Good G.c ; Bad G.c ; Good G.c ; Uncertain G.cm ; BadNoData G.cp ; - BND
StandardDeviationPopulation|1|20|0 G.cp ; 5 G.c ; 0 US.c ; 0 US.c ; 5 G.cp
StandardDeviationPopulation|2|20|0 G.cp ; 4.082 G.c ; 5 US.c ; 0 US.c ; 8.165 G.cp
StandardDeviationPopulation|3|20|0 G.cp ; 4.082 G.c ; 5 US.c ; 0 US.c ; 8.165 G.cp
StandardDeviationPopulation|5|20|0 G.cp ; 8.165 G.c ; 10 US.c ; 0 US.c ; 4.714 G.cp
VariancePopulation|1|20|0 G.cp ; 25 G.c ; 0 US.c ; 0 US.c ; 25 G.cp
VariancePopulation|2|20|0 G.cp ; 16.667 G.c ; 25 US.c ; 0 US.c ; 66.667 G.cp
VariancePopulation|3|20|0 G.cp ; 16.667 G.c ; 25 US.c ; 0 US.c ; 66.667 G.cp
VariancePopulation|5|20|0 G.cp ; 66.667 G.c ; 100 US.c ; 0 US.c ; 22.222 G.cp
StandardDeviationSample|1|20|0 G.cp ; 7.071 G.c ; 0 US.c ; 0 US.c ; 7.071 G.cp
StandardDeviationSample|2|20|0 G.cp ; 5 G.c ; 7.071 US.c ; 0 US.c ; 10 G.cp
StandardDeviationSample|3|20|0 G.cp ; 5 G.c ; 7.071 US.c ; 0 US.c ; 10 G.cp
StandardDeviationSample|5|20|0 G.cp ; 10 G.c ; 14.142 US.c ; 0 US.c ; 5.7735 G.cp
VarianceSample|1|20|0 G.cp ; 50 G.c ; 0 US.c ; 0 US.c ; 50 G.cp
VarianceSample|2|20|0 G.cp ; 25 G.c ; 50 US.c ; 0 US.c ; 100 G.cp
VarianceSample|3|20|0 G.cp ; 25 G.c ; 50 US.c ; 0 US.c ; 100 G.cp
VarianceSample|5|20|0 G.cp ; 100 G.c ; 200 US.c ; 0 US.c ; 33.333 G.cp
`;

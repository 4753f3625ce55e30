/* Softmax regression by mini-batch SGD on sparse images: see sgd.py. Sixteen lanes hold the ten classes. */
#include <math.h>

typedef float lanes __attribute__((vector_size(64)));

void train(const float *value, const unsigned short *pixel, const int *end, const unsigned char *label, int images,
           int batch, int iterations, float l2, float rate, int pixels, int classes, lanes *W, lanes *G)
{
    const float share = rate / batch, keep = 1 - rate * l2;
    for (int step = 0, first = 0; step < iterations; step++, first += batch) {
        if (first + batch > images)
            first = 0;
        for (int i = first; i < first + batch; i++) {
            lanes z = {0}, other = {0}, p = {0};
            int j = end[i];
            for (; j + 1 < end[i + 1]; j += 2) { /* two sums, so that one need not wait for the other */
                z += value[j] * W[pixel[j]];
                other += value[j + 1] * W[pixel[j + 1]];
            }
            if (j < end[i + 1])
                z += value[j] * W[pixel[j]];
            z += other;
            float top = z[0], sum = 0;
            for (int c = 1; c < classes; c++)
                top = fmaxf(top, z[c]);
            for (int c = 0; c < classes; c++)
                sum += p[c] = expf(z[c] - top);
            p *= share / sum;
            p[label[i]] -= share;
            for (j = end[i]; j < end[i + 1]; j++)
                G[pixel[j]] += value[j] * p;
        }
        for (int q = 0; q < pixels; q++) { /* the last one is the bias, which is not penalized */
            W[q] = (q < pixels - 1 ? keep : 1) * W[q] - G[q];
            G[q] = (lanes){0};
        }
    }
}

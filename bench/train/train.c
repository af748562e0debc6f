/* Training data and weights of the learned evaluation. Needs nothing but a C compiler and an x86-64
 * with AVX2; build.py says how it is called, README.md what it does.
 *
 *   train seed OUT                          the hand-made net that the first round searches with
 *   train solve NET WIDTH DEALS OUT         solves these deals by a beam, writes the moves
 *   train fit DATA EPOCHS SEED OUT          fits a net to these solutions
 *   train triggers NET FIRST COUNT SEED OUT adds the rows for what macros will do after a move
 *   train quantise NET OUT                  int16 weights, as evaluate.pxd reads them
 *   train thaw BODY OUT                     the floats of such weights
 *   train refit NET DATA EPOCHS RATE SEED OUT     fits on from a net
 *   train rank NET DATA SAMPLES RATE SEED OUT     fits on against beams: see "Ranking" below
 *
 * A game is chosen at compile time: -DCOLUMNS -DCELLS -DDEALT -DSUIT -DKINGS. A net is a file of
 * floats, struct Net. Positions are those after everything that can has gone home.
 */
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef COLUMNS
#define COLUMNS 8
#define CELLS 4
#define DEALT 0
#define SUIT 0
#define KINGS 0
#endif

enum { WIDE = 16, FLOOR = 52, CELL = 53, PLACES = 54, HIGH = 32, EMPTIES = 4,
       BUCKETS = (CELLS + 1) * EMPTIES, TRIGGERS = 16, TO_CELL = 31, MOST = 256 };

static int rank(int card) { return card >> 2; }
static int suit(int card) { return card & 3; }
static int red(int card) { return suit(card) == 1 || suit(card) == 2; }
static int fits(int card, int onto) {
    return rank(card) + 1 == rank(onto) && (SUIT ? suit(card) == suit(onto) : red(card) != red(onto));
}
static void die(const char *why) { fprintf(stderr, "train: %s\n", why); exit(1); }
static void *get(size_t size) { void *block = calloc(1, size); if (!block) die("no memory"); return block; }

static uint64_t random_state;
static uint64_t random64(void) {
    uint64_t z = random_state += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}
static double uniform(void) { return (random64() >> 11) * 0x1p-53; }

/* The game */

typedef struct {
    uint8_t column[COLUMNS][HIGH], height[COLUMNS], cell[CELLS + 1], home[4];
} Board;

typedef struct { uint8_t source, target, count; } Move;   /* columns, 16 + cells; TO_CELL: any cell */

static void deal(Board *board, uint32_t number) {
    uint8_t deck[52];
    memset(board, 0, sizeof *board);
    memset(board->cell, 255, sizeof board->cell);
    for (int card = 0; card < 52; card++) deck[card] = card;
    for (int index = 0; index < 52; index++) {
        number = number * 214013 + 2531011;
        int pick = (number >> 16 & 0x7fff) % (52 - index), card = deck[pick], column = index % COLUMNS;
        deck[pick] = deck[51 - index];
        if (index >= 52 - DEALT) board->cell[index - 52 + DEALT] = card;
        else board->column[column][board->height[column]++] = card;
    }
}

static void relabel(Board *board, int symmetry) {
    /* One of the eight changes of suits that keep the rules: within a colour, and colours as such. */
    int to[4];
    for (int old = 0; old < 4; old++) {
        int is_red = old == 1 || old == 2, high = old >= 2;
        high ^= symmetry >> is_red & 1;
        is_red ^= symmetry >> 2 & 1;
        to[old] = is_red ? (high ? 2 : 1) : (high ? 3 : 0);
    }
    for (int column = 0; column < COLUMNS; column++)
        for (int index = 0; index < board->height[column]; index++) {
            uint8_t *card = &board->column[column][index];
            *card = (*card & ~3) | to[suit(*card)];
        }
    for (int index = 0; index < CELLS; index++)
        if (board->cell[index] != 255)
            board->cell[index] = (board->cell[index] & ~3) | to[suit(board->cell[index])];
}

static int due(const Board *board, int card) { return board->home[suit(card)] == rank(card); }
static int top(const Board *board, int column) { return board->column[column][board->height[column] - 1]; }
static int won(const Board *board) { return board->home[0] + board->home[1] + board->home[2] + board->home[3] == 52; }

static void play_home(Board *board) {
    for (int moved = 1; moved;) {
        moved = 0;
        for (int index = 0; index < CELLS; index++)
            if (board->cell[index] != 255 && due(board, board->cell[index])) {
                board->home[suit(board->cell[index])]++;
                board->cell[index] = 255;
                moved = 1;
            }
        for (int column = 0; column < COLUMNS; column++)
            while (board->height[column] && due(board, top(board, column))) {
                board->home[suit(top(board, column))]++;
                board->height[column]--;
                moved = 1;
            }
    }
}

static int cells_used(const Board *board) {
    int used = 0;
    for (int index = 0; index < CELLS; index++) used += board->cell[index] != 255;
    return used;
}
static int empty_columns(const Board *board) {
    int empty = 0;
    for (int column = 0; column < COLUMNS; column++) empty += board->height[column] == 0;
    return empty;
}
static int run_length(const Board *board, int column) {
    int high = board->height[column], length = high > 0;
    const uint8_t *cards = board->column[column];
    while (length && length < high && fits(cards[high - length], cards[high - length - 1])) length++;
    return length;
}
static int run_limit(int free, int empty) { return (free + 1) << (KINGS ? 0 : empty); }

static void apply(Board *board, Move move) {
    uint8_t cards[HIGH];
    if (move.source >= 16) {
        cards[0] = board->cell[move.source - 16];
        board->cell[move.source - 16] = 255;
    } else {
        board->height[move.source] -= move.count;
        memcpy(cards, board->column[move.source] + board->height[move.source], move.count);
    }
    if (move.target == TO_CELL) {
        int index = 0;
        while (board->cell[index] != 255) index++;
        board->cell[index] = cards[0];
    } else {
        memcpy(board->column[move.target] + board->height[move.target], cards, move.count);
        board->height[move.target] += move.count;
    }
}

static int generate(const Board *board, Move *moves) {
    /* All moves but home; to an empty column as many as go. */
    int count = 0, free = CELLS - cells_used(board), empty = empty_columns(board), hole = -1;
    int most = run_limit(free, empty), most_to_empty = empty ? run_limit(free, empty - 1) : 0;
    for (int column = 0; column < COLUMNS; column++) if (!board->height[column]) hole = column;
    for (int source = 0; source < COLUMNS; source++) {
        int high = board->height[source], length = run_length(board, source);
        if (!high) continue;
        if (free) moves[count++] = (Move){source, TO_CELL, 1};
        for (int n = 1; n <= length && n <= most; n++)
            for (int target = 0; target < COLUMNS; target++)
                if (board->height[target] && fits(board->column[source][high - n], top(board, target)))
                    moves[count++] = (Move){source, target, n};
        int n = length < most_to_empty ? length : most_to_empty;
        if (KINGS && n && (n < length || rank(board->column[source][high - n]) != 12)) n = 0;
        if (n && n < high) moves[count++] = (Move){source, hole, n};
    }
    for (int index = 0; index < CELLS; index++) {
        int card = board->cell[index];
        if (card == 255) continue;
        for (int target = 0; target < COLUMNS; target++)
            if (board->height[target] && fits(card, top(board, target)))
                moves[count++] = (Move){16 + index, target, 1};
        if (hole >= 0 && (!KINGS || rank(card) == 12)) moves[count++] = (Move){16 + index, hole, 1};
    }
    return count;
}

/* The net: what every card lies on directly, what it lies above and is higher than; one hidden layer;
 * an output row by cells in use and empty columns. Lower is better, in moves still to make. */

typedef struct {
    float on[52][PLACES][WIDE], above[52][52][WIDE], trigger[TRIGGERS][52][WIDE];
    float bias[WIDE], out[BUCKETS][WIDE], rest[BUCKETS];
} Net;

enum { ON = 0, ABOVE = 52 * PLACES, INPUTS = ABOVE + 52 * 52 };

static int inputs(const Board *board, uint16_t *list) {
    int count = 0;
    for (int column = 0; column < COLUMNS; column++)
        for (int index = 0; index < board->height[column]; index++) {
            const uint8_t *cards = board->column[column];
            int card = cards[index];
            list[count++] = ON + card * PLACES + (index ? cards[index - 1] : FLOOR);
            for (int below = 0; below < index; below++)
                if (rank(cards[below]) < rank(card)) list[count++] = ABOVE + card * 52 + cards[below];
        }
    for (int index = 0; index < CELLS; index++)
        if (board->cell[index] != 255) list[count++] = ON + board->cell[index] * PLACES + CELL;
    return count;
}

static int bucket(const Board *board) {
    int empty = empty_columns(board);
    return cells_used(board) * EMPTIES + (empty < EMPTIES ? empty : EMPTIES - 1);
}

static const float *row(const Net *net, int input) { return net->on[0][0] + (size_t)input * WIDE; }

static void accumulate(const Net *net, const uint16_t *list, int count, float *sum) {
    __m256 low = _mm256_loadu_ps(net->bias), high = _mm256_loadu_ps(net->bias + 8);
    for (int index = 0; index < count; index++) {
        const float *from = row(net, list[index]);
        low = _mm256_add_ps(low, _mm256_loadu_ps(from));
        high = _mm256_add_ps(high, _mm256_loadu_ps(from + 8));
    }
    _mm256_storeu_ps(sum, low);
    _mm256_storeu_ps(sum + 8, high);
}

static float value(const Net *net, const float *sum, int bucket) {
    float total = net->rest[bucket];
    for (int index = 0; index < WIDE; index++)
        if (sum[index] > 0) total += sum[index] * net->out[bucket][index];
    return total;
}

static float value_of(const Net *net, const Board *board) {
    uint16_t list[1024];
    float sum[WIDE];
    accumulate(net, list, inputs(board, list), sum);
    return value(net, sum, bucket(board));
}

static Net *load(const char *name) {
    Net *net = get(sizeof *net);
    FILE *file = fopen(name, "rb");
    if (!file || fread(net, sizeof *net, 1, file) != 1) die("cannot read the net");
    fclose(file);
    return net;
}
static void save(const Net *net, const char *name) {
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(net, sizeof *net, 1, file) != 1 || fclose(file)) die("cannot write the net");
}

static void make_seed(const char *name) {
    /* One hidden unit that adds up: cards left, cards above lower ones of their suit, neighbours that
     * do not build, cells in use. */
    Net *net = get(sizeof *net);
    for (int card = 0; card < 52; card++)
        for (int place = 0; place < PLACES; place++) {
            net->on[card][place][0] = place == CELL ? 1.0f : place == FLOOR || fits(card, place) ? 0.3f : 1.0f;
            if (place < 52 && suit(place) == suit(card) && rank(place) < rank(card))
                net->above[card][place][0] = 1.0f;
        }
    for (int index = 0; index < BUCKETS; index++) {
        net->out[index][0] = 1;
        net->rest[index] = 0.4f * (index / EMPTIES) - 1.0f * (index % EMPTIES);
    }
    save(net, name);
}

/* The beam */

typedef struct {
    Board board;
    float sum[WIDE];
    uint64_t hash;
    int32_t trace;
} Node;
typedef struct { float score; int32_t parent; uint64_t hash; Move move; } Child;
typedef struct { int32_t parent; Move move; } Trace;

static uint64_t lies[52][PLACES];   /* a random word per card and place */

static uint64_t hash_of(const Board *board) {
    uint64_t hash = 0;
    for (int column = 0; column < COLUMNS; column++)
        for (int index = 0; index < board->height[column]; index++)
            hash ^= lies[board->column[column][index]][index ? board->column[column][index - 1] : FLOOR];
    for (int index = 0; index < CELLS; index++)
        if (board->cell[index] != 255) hash ^= lies[board->cell[index]][CELL];
    return hash;
}

static void shift(const Net *net, float *sum, const Board *board, Move move, uint64_t *hash) {
    /* Adds to `sum` and `hash` what a move changes. */
    int from_cell = move.source >= 16;
    const uint8_t *source = from_cell ? NULL : board->column[move.source];
    int first = from_cell ? 0 : board->height[move.source] - move.count;
    __m256 low = _mm256_loadu_ps(sum), high = _mm256_loadu_ps(sum + 8);
#define ADD(op, pointer) do { const float *r = (pointer); \
        low = _mm256_##op##_ps(low, _mm256_loadu_ps(r)); \
        high = _mm256_##op##_ps(high, _mm256_loadu_ps(r + 8)); } while (0)
    int head = from_cell ? board->cell[move.source - 16] : source[first];
    int old = from_cell ? CELL : first ? source[first - 1] : FLOOR;
    int new = move.target == TO_CELL ? CELL : board->height[move.target] ? top(board, move.target) : FLOOR;
    ADD(sub, net->on[head][old]);
    ADD(add, net->on[head][new]);
    *hash ^= lies[head][old] ^ lies[head][new];
    for (int n = 0; n < move.count; n++) {
        int card = from_cell ? head : source[first + n];
        for (int index = 0; index < first; index++) ADD(sub, net->above[card][source[index]]);
        if (move.target < COLUMNS)
            for (int index = 0; index < board->height[move.target]; index++)
                ADD(add, net->above[card][board->column[move.target][index]]);
    }
#undef ADD
    _mm256_storeu_ps(sum, low);
    _mm256_storeu_ps(sum + 8, high);
}

static int bares_home(const Board *board, Move move) {
    /* Does the move lay a card bare that goes home? The parent has none that does. */
    return move.source < 16 && board->height[move.source] > move.count
        && due(board, board->column[move.source][board->height[move.source] - move.count - 1]);
}

enum { LEVELS = 160, SEEN = 1 << 18 };

static int by_score(const void *one, const void *other) {
    const Child *a = one, *b = other;
    if (a->score != b->score) return a->score < b->score ? -1 : 1;
    if (a->parent != b->parent) return a->parent < b->parent ? -1 : 1;
    return memcmp(&a->move, &b->move, sizeof a->move);
}

typedef struct { int width; Node *node[2]; Child *child; Trace *trace; uint64_t *seen; } Beam;

static Beam make_beam(int width) {
    random_state = 1;
    for (int card = 0; card < 52; card++)
        for (int place = 0; place < PLACES; place++) lies[card][place] = random64();
    return (Beam){width, {get(width * sizeof(Node)), get(width * sizeof(Node))},
                  get((size_t)width * MOST * sizeof(Child)), get(((size_t)width * LEVELS + 1) * sizeof(Trace)),
                  get(SEEN * sizeof(uint64_t))};
}

static int search(Beam *beam, const Net *net, const Board *root, int levels, Move *path,
                  void (*look)(int depth, const Node *level, int count)) {
    /* The number of moves, 0 where the beam fails. `look`, if there is one, is shown each level. */
    int count = 1, traces = 1;
    Node *level = beam->node[0], *next = beam->node[1], *swap;
    uint16_t list[1024];
    memset(beam->seen, 0, SEEN * sizeof *beam->seen);
    level->board = *root;
    accumulate(net, list, inputs(&level->board, list), level->sum);
    level->hash = hash_of(&level->board);
    level->trace = 0;
    for (int depth = 0; depth < levels && count; depth++) {
        int children = 0;
        for (int index = 0; index < count; index++) {
            const Node *node = level + index;
            Move moves[MOST];
            int made = generate(&node->board, moves), used = cells_used(&node->board);
            int empty = empty_columns(&node->board);
            for (int which = 0; which < made; which++) {
                Child *child = beam->child + children++;
                Move move = moves[which];
                child->parent = index;
                child->move = move;
                child->hash = node->hash;
                if (bares_home(&node->board, move)) {
                    Board board = node->board;
                    apply(&board, move);
                    play_home(&board);
                    child->hash = hash_of(&board);
                    child->score = won(&board) ? -1e9f : value_of(net, &board);
                } else {
                    float sum[WIDE];
                    memcpy(sum, node->sum, sizeof sum);
                    shift(net, sum, &node->board, move, &child->hash);
                    int cells = used + (move.target == TO_CELL) - (move.source >= 16);
                    int holes = empty - (move.target < COLUMNS && !node->board.height[move.target])
                        + (move.source < 16 && node->board.height[move.source] == move.count);
                    child->score = value(net, sum, cells * EMPTIES + (holes < EMPTIES ? holes : EMPTIES - 1));
                }
            }
        }
        /* Keep the best 2 * width by a bound found on counts, then sort those only. */
        if (children > 3 * beam->width) {
            enum { SLOTS = 4096 };
            static int slot[SLOTS];
            float low = 1e9f, high = -1e8f;
            for (int index = 0; index < children; index++) {
                float score = beam->child[index].score;
                if (score < low && score > -1e8f) low = score;
                if (score > high) high = score;
            }
            float scale = (SLOTS - 1) / (high - low + 1e-6f);
            memset(slot, 0, sizeof slot);
            for (int index = 0; index < children; index++) {
                float at = (beam->child[index].score - low) * scale;
                slot[at < 0 ? 0 : (int)at]++;
            }
            int upto = 0, sum = 0;
            while (upto < SLOTS && sum < 2 * beam->width) sum += slot[upto++];
            int kept = 0;
            for (int index = 0; index < children; index++) {
                float at = (beam->child[index].score - low) * scale;
                if (at < upto) beam->child[kept++] = beam->child[index];
            }
            children = kept;
        }
        qsort(beam->child, children, sizeof *beam->child, by_score);
        int kept = 0;
        for (int index = 0; index < children && kept < beam->width; index++) {
            const Child *child = beam->child + index;
            uint64_t hash = child->hash | 1, slot = hash * 0x9E3779B97F4A7C15ull >> 46;
            while (beam->seen[slot] && beam->seen[slot] != hash) slot = (slot + 1) & (SEEN - 1);
            if (beam->seen[slot]) continue;
            beam->seen[slot] = hash;
            const Node *parent = level + child->parent;
            Node *node = next + kept++;
            *node = *parent;
            beam->trace[traces].parent = parent->trace;
            beam->trace[traces].move = child->move;
            node->trace = traces++;
            node->hash = child->hash;
            if (bares_home(&parent->board, child->move)) {
                apply(&node->board, child->move);
                play_home(&node->board);
                accumulate(net, list, inputs(&node->board, list), node->sum);
                if (won(&node->board)) {
                    int at = node->trace;
                    for (int step = depth; step >= 0; step--, at = beam->trace[at].parent)
                        path[step] = beam->trace[at].move;
                    return depth + 1;
                }
            } else {
                uint64_t hash = 0;
                shift(net, node->sum, &parent->board, child->move, &hash);
                apply(&node->board, child->move);
            }
        }
        count = kept;
        swap = level, level = next, next = swap;
        if (look) look(depth + 1, level, count);
    }
    return 0;
}

static void solve(const char *net_name, int width, const char *deals, const char *out) {
    Net *net = load(net_name);
    Beam beam = make_beam(width);
    FILE *list = fopen(deals, "r"), *file = fopen(out, "wb");
    Move path[LEVELS];
    long count = 0, solved = 0, total = 0;
    uint32_t number;
    if (!list) die("cannot read the deals");
    if (!file) die("cannot write the data");
    for (; fscanf(list, "%u", &number) == 1; count++) {
        Board root;
        deal(&root, number);
        play_home(&root);
        int length = search(&beam, net, &root, LEVELS, path, NULL);
        if (!length) continue;
        uint8_t moves = length;
        fwrite(&number, 4, 1, file);
        fwrite(&moves, 1, 1, file);
        fwrite(path, sizeof(Move), length, file);
        solved++;
        total += length;
    }
    if (fclose(file)) die("cannot write the data");
    printf("width %d: %ld of %ld solved, %.3f moves\n", width, solved, count, (double)total / solved);
}

/* Fitting: in every position of a solution the child on it should look best (softmax over the
 * children), and the value should be the moves still to make (weight 0.01). Adam. */

typedef struct { uint32_t number; uint8_t length; const Move *moves; } Game;

static Game *read_games(const char *name, int *count) {
    FILE *file = fopen(name, "rb");
    if (!file) die("cannot read the data");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    uint8_t *data = get(size);
    if (fread(data, 1, size, file) != (size_t)size) die("cannot read the data");
    fclose(file);
    Game *games = get((size / 8 + 1) * sizeof(Game));
    *count = 0;
    for (long at = 0; at < size;) {
        Game *game = games + (*count)++;
        memcpy(&game->number, data + at, 4);
        if (game->number <= 1000000) die("deals up to 1000000 are held out");
        game->length = data[at + 4];
        game->moves = (const Move *)(data + at + 5);
        at += 5 + game->length * sizeof(Move);
    }
    return games;
}

enum { BATCH = 512 };

typedef struct { Net net, gradient, mean, square; long step; } Trainer;

static void step(Trainer *trainer, double rate) {
    float *weight = (float *)&trainer->net, *gradient = (float *)&trainer->gradient;
    float *mean = (float *)&trainer->mean, *square = (float *)&trainer->square;
    trainer->step++;
    float scale = rate * sqrt(1 - pow(0.999, trainer->step)) / (1 - pow(0.9, trainer->step));
    for (size_t index = 0; index < sizeof(Net) / sizeof(float); index++) {
        float g = gradient[index] / BATCH;
        mean[index] = 0.9f * mean[index] + 0.1f * g;
        square[index] = 0.999f * square[index] + 0.001f * g * g;
        weight[index] -= scale * mean[index] / (sqrtf(square[index]) + 1e-8f);
        gradient[index] = 0;
    }
}

typedef struct {
    uint16_t come[600], gone[256];   /* inputs: all of them, or those that differ from the parent's */
    int coming, going, bucket, alone;
    float sum[WIDE], value;
} Seen;

static void see(const Net *net, const Board *board, Seen *seen) {
    seen->alone = 1;
    seen->coming = inputs(board, seen->come);
    seen->going = 0;
    seen->bucket = bucket(board);
    accumulate(net, seen->come, seen->coming, seen->sum);
    seen->value = value(net, seen->sum, seen->bucket);
}

static void see_child(const Net *net, const Board *board, Move move, const Seen *parent, Seen *seen) {
    /* A child by what differs from its parent, an eighth of the work, unless cards go home. */
    Board after = *board;
    apply(&after, move);
    if (bares_home(board, move)) {
        play_home(&after);
        see(net, &after, seen);
        return;
    }
    int from_cell = move.source >= 16, first = from_cell ? 0 : board->height[move.source] - move.count;
    const uint8_t *source = from_cell ? board->cell + move.source - 16 : board->column[move.source];
    int head = source[first], under = from_cell ? CELL : first ? source[first - 1] : FLOOR;
    int onto = move.target == TO_CELL ? CELL : board->height[move.target] ? top(board, move.target) : FLOOR;
    seen->alone = 0;
    seen->going = seen->coming = 0;
    seen->gone[seen->going++] = ON + head * PLACES + under;
    seen->come[seen->coming++] = ON + head * PLACES + onto;
    for (int n = 0; n < move.count; n++) {
        int card = source[first + n];
        for (int index = 0; index < first; index++)
            if (rank(source[index]) < rank(card)) seen->gone[seen->going++] = ABOVE + card * 52 + source[index];
        if (move.target < COLUMNS)
            for (int index = 0; index < board->height[move.target]; index++) {
                int below = board->column[move.target][index];
                if (rank(below) < rank(card)) seen->come[seen->coming++] = ABOVE + card * 52 + below;
            }
    }
    seen->bucket = bucket(&after);
    memcpy(seen->sum, parent->sum, sizeof seen->sum);
    for (int at = 0; at < seen->going; at++)
        for (int k = 0; k < WIDE; k++) seen->sum[k] -= row(net, seen->gone[at])[k];
    for (int at = 0; at < seen->coming; at++)
        for (int k = 0; k < WIDE; k++) seen->sum[k] += row(net, seen->come[at])[k];
    seen->value = value(net, seen->sum, seen->bucket);
}

static void teach(Trainer *trainer, const Seen *seen, float pull, float *shared) {
    /* Adds d loss / d value = pull to the gradient, what is the parent's to `shared`. */
    if (fabsf(pull) < 1e-4f) return;
    float down[WIDE], *rows = trainer->gradient.on[0][0];
    trainer->gradient.rest[seen->bucket] += pull;
    for (int k = 0; k < WIDE; k++) {
        int on = seen->sum[k] > 0;
        down[k] = on ? pull * trainer->net.out[seen->bucket][k] : 0;
        if (on) trainer->gradient.out[seen->bucket][k] += pull * seen->sum[k];
        trainer->gradient.bias[k] += down[k];
        if (!seen->alone) shared[k] += down[k];
    }
    for (int at = 0; at < seen->going; at++)
        for (int k = 0; k < WIDE; k++) rows[(size_t)seen->gone[at] * WIDE + k] -= down[k];
    for (int at = 0; at < seen->coming; at++)
        for (int k = 0; k < WIDE; k++) rows[(size_t)seen->come[at] * WIDE + k] += down[k];
}

static double learn(Trainer *trainer, const Board *board, Move played, int left, float weight, int *right,
                    int teaching) {
    /* One position: adds to the gradient, returns the loss. */
    static Seen parent, seen[MOST];
    Move moves[MOST];
    int made = generate(board, moves), target = -1, best = 0;
    float low = 1e30f, shared[WIDE] = {0};
    double total = 0, loss;
    see(&trainer->net, board, &parent);
    for (int index = 0; index < made; index++) {
        see_child(&trainer->net, board, moves[index], &parent, seen + index);
        if (seen[index].value < low) low = seen[index].value, best = index;
        if (!memcmp(moves + index, &played, sizeof played)) target = index;
    }
    if (target < 0) die("a solution holds a move that is not generated");
    for (int index = 0; index < made; index++) total += exp(low - seen[index].value);
    loss = log(total) - (low - seen[target].value);
    *right += best == target;
    if (!teaching) return loss;
    for (int index = 0; index < made; index++) {
        float pull = weight * ((index == target) - (float)(exp(low - seen[index].value) / total));
        if (index == target) pull += 0.01f * 2 * (seen[index].value - left);
        teach(trainer, seen + index, pull, shared);
    }
    for (int at = 0; at < parent.coming; at++) {
        float *into = trainer->gradient.on[0][0] + (size_t)parent.come[at] * WIDE;
        for (int k = 0; k < WIDE; k++) into[k] += shared[k];
    }
    return loss;
}

static double cosine(double rate, long steps, long all) {
    return rate * (steps < all ? 0.5 * (1 + cos(3.14159265 * steps / all)) : 0) + 1e-6;
}

static void fit(const char *data, int epochs, double rate, uint64_t seed, const char *out, const char *from) {
    int count;
    Game *games = read_games(data, &count);
    Trainer *trainer = get(sizeof *trainer);
    int held = count / 50, batch = 0;
    long steps = 0, all_steps = 0;
    random_state = seed;
    float *weight = (float *)&trainer->net;
    for (size_t index = 0; index < (size_t)INPUTS * WIDE; index++) weight[index] = 0.1 * (uniform() - 0.5);
    for (int k = 0; k < WIDE; k++) {
        trainer->net.bias[k] = 1;
        for (int index = 0; index < BUCKETS; index++) trainer->net.out[index][k] = 0.5 * (uniform() - 0.3);
    }
    if (from) trainer->net = *load(from);
    for (int index = held; index < count; index++) all_steps += games[index].length;
    all_steps = all_steps * epochs / BATCH + 1;
    int *order = get(count * sizeof *order);
    for (int index = 0; index < count; index++) order[index] = index;
    for (int epoch = 0; epoch < epochs; epoch++) {
        double loss = 0, held_loss = 0;
        long seen = 0, held_seen = 0;
        int right = 0, held_right = 0;
        for (int index = count - 1; index > held; index--) {
            int other = held + random64() % (index - held + 1), swap = order[index];
            order[index] = order[other];
            order[other] = swap;
        }
        for (int which = held; which < count + held; which++) {
            const Game *game = games + (which < count ? order[which] : which - count);
            int teaching = which < count;
            Board board;
            deal(&board, game->number);
            if (teaching) relabel(&board, random64() & 7);
            play_home(&board);
            for (int index = 0; index < game->length; index++) {
                double one = learn(trainer, &board, game->moves[index], game->length - index - 1, 1,
                                   teaching ? &right : &held_right, teaching);
                if (teaching) {
                    loss += one, seen++;
                    if (++batch == BATCH) {
                        step(trainer, cosine(rate, steps++, all_steps));
                        batch = 0;
                    }
                } else
                    held_loss += one, held_seen++;
                apply(&board, game->moves[index]);
                play_home(&board);
            }
        }
        printf("epoch %d: loss %.4f, first %.4f; on deals kept aside %.4f, %.4f\n", epoch + 1, loss / seen,
               (double)right / seen, held_loss / held_seen, (double)held_right / held_seen);
        fflush(stdout);
        save(&trainer->net, out);
    }
}

/* Ranking: a beam compares positions of different parents. So along a solution each position should
 * rank high on its level of a beam that the net itself guides: softmax over the position and a sample
 * of the level, each of which stands for as many as the sample leaves out; the fit to the children
 * goes on beside it with a tenth of its weight. */

enum { NARROW = 64, MOST_SAMPLES = 64, SIBLINGS = 10 };

static struct { Board board[LEVELS][MOST_SAMPLES]; int count[LEVELS], size[LEVELS], most; } sample;

static void take_sample(int depth, const Node *level, int count) {
    if (depth >= LEVELS) return;
    sample.size[depth] = count;
    sample.count[depth] = count < sample.most ? count : sample.most;
    for (int index = 0; index < sample.count[depth]; index++)
        sample.board[depth][index] = level[count <= sample.most ? (uint64_t)index : random64() % count].board;
}

static double learn_rank(Trainer *trainer, const Board *board, int depth) {
    static Seen mine, seen[MOST_SAMPLES];
    int count = sample.count[depth];
    if (!count) return 0;
    float each = (float)sample.size[depth] / count, low;
    uint64_t hash = hash_of(board);
    see(&trainer->net, board, &mine);
    low = mine.value;
    for (int index = 0; index < count; index++) {
        see(&trainer->net, &sample.board[depth][index], seen + index);
        if (seen[index].value < low) low = seen[index].value;
    }
    double own = exp(low - mine.value), total = own;
    for (int index = 0; index < count; index++)
        if (hash_of(&sample.board[depth][index]) != hash) total += each * exp(low - seen[index].value);
    for (int index = 0; index < count; index++)
        if (hash_of(&sample.board[depth][index]) != hash)
            teach(trainer, seen + index, -each * (float)(exp(low - seen[index].value) / total), NULL);
    teach(trainer, &mine, (float)(1 - own / total), NULL);
    return log(total / own);
}

static void fit_rank(const char *from, const char *data, int samples, double rate, uint64_t seed, const char *out) {
    int count, right = 0, batch = 0;
    Game *games = read_games(data, &count);
    Trainer *trainer = get(sizeof *trainer);
    Beam beam = make_beam(NARROW);
    Move path[LEVELS];
    long steps = 0, all_steps = 0, seen = 0;
    double loss = 0, rank_loss = 0;
    if (samples > MOST_SAMPLES) die("too large a sample");
    sample.most = samples;
    trainer->net = *load(from);
    random_state = seed;
    for (int index = 0; index < count; index++) all_steps += games[index].length;
    all_steps = all_steps / BATCH + 1;
    for (int index = count - 1; index > 0; index--) {
        int other = random64() % (index + 1);
        Game swap = games[index];
        games[index] = games[other];
        games[other] = swap;
    }
    for (const Game *game = games; game < games + count; game++) {
        Board board;
        deal(&board, game->number);
        relabel(&board, random64() & 7);
        play_home(&board);
        memset(sample.count, 0, sizeof sample.count);
        search(&beam, &trainer->net, &board, game->length - 1, path, take_sample);
        for (int index = 0; index < game->length; index++) {
            int left = game->length - index - 1;
            loss += learn(trainer, &board, game->moves[index], left, 1.0f / SIBLINGS, &right, 1);
            apply(&board, game->moves[index]);
            play_home(&board);
            if (left) rank_loss += learn_rank(trainer, &board, index + 1);
            seen++;
            if (++batch == BATCH) {
                step(trainer, cosine(rate, steps++, all_steps));
                batch = 0;
            }
        }
        if ((game - games) % 2000 == 1999) {
            printf("%ld deals: loss %.4f, first %.4f, rank %.4f\n", (long)(game - games) + 1, loss / seen,
                   (double)right / seen, rank_loss / seen);
            fflush(stdout);
        }
    }
    save(&trainer->net, out);
}

/* Triggers: a row per (what a move sets off, card laid bare), added to the sums before the macros of
 * native/macro.pxd are played, so that the value comes near the one after. Sampled on walks that
 * follow the net; the rest of the net stays. Too high an estimate hides a child, too low a one costs a
 * look: errors below count 0.15. */

static int head_index(const Board *board, int column) { return board->height[column] - run_length(board, column); }

static int fired(const Board *board, Move move, int *bared) {
    /* As fires() and run_fires() in native/lazy.pxd. */
    Board after = *board;
    apply(&after, move);
    int limit = run_limit(CELLS - cells_used(&after), empty_columns(&after));
    int from_cell = move.source >= 16, under = from_cell ? -1 : board->height[move.source] - move.count - 1;
    const uint8_t *cards = from_cell ? board->cell : board->column[move.source];
    int card = from_cell ? cards[move.source - 16] : cards[under + 1], flags = 0;
    *bared = from_cell ? card : under < 0 ? FLOOR : cards[under];
    if (*bared == FLOOR) return 0;
    if (!from_cell) flags |= due(board, *bared);
    for (int index = 0; index < CELLS; index++)
        if (board->cell[index] != 255 && board->cell[index] != card && fits(board->cell[index], *bared)) flags |= 2;
    for (int column = 0; column < COLUMNS; column++)
        if (board->height[column]) {
            int head = board->column[column][head_index(board, column)];
            if (head != card && fits(head, *bared) && run_length(board, column) <= limit) flags |= 4;
        }
    if (!from_cell && move.count == run_length(board, move.source)) {
        int index = under;
        while (index && fits(cards[index], cards[index - 1])) index--;
        for (int column = 0; column < COLUMNS && under - index < limit; column++)
            if (column != move.target && column != move.source && board->height[column]
                && fits(cards[index], top(board, column)))
                flags |= 8;
    }
    return flags;
}

static void play_on(Board *board, int kept) {
    for (;;) {
        int found = 0, best = 52;
        Move move = {0, 0, 1};
        play_home(board);
        for (int index = 0; index < CELLS; index++)
            for (int column = COLUMNS - 1; column >= 0; column--) {
                int card = board->cell[index];
                if (card != 255 && card != kept && card <= best && board->height[column] && fits(card, top(board, column)))
                    best = card, move = (Move){16 + index, column, 1}, found = 1;
            }
        int limit = run_limit(CELLS - cells_used(board), empty_columns(board));
        for (int source = 0; !found && source < COLUMNS; source++) if (board->height[source]) {
            int head = board->column[source][head_index(board, source)], length = run_length(board, source);
            for (int column = 0; column < COLUMNS; column++)
                if (length <= limit && head < best && board->height[column] && fits(head, top(board, column)))
                    best = head, move = (Move){source, column, length};
        }
        if (best == 52) return;
        apply(board, move);
    }
}

typedef struct { float sum[WIDE], exact; int bucket, which; } Sample;

static void triggers(const char *net_name, uint32_t first, int count, uint64_t seed, const char *out) {
    enum { PER_DEAL = 400, WALK = 40 };
    Net *net = load(net_name);
    Sample *samples = get((size_t)count * PER_DEAL * sizeof *samples);
    uint16_t list[1024];
    size_t made = 0;
    random_state = seed;
    for (uint32_t number = first; number < first + count; number++) {
        Board board;
        size_t most = made + PER_DEAL;
        deal(&board, number);
        relabel(&board, random64() & 7);
        play_on(&board, -1);
        for (int step = 0; step < WALK && !won(&board); step++) {
            Move moves[MOST];
            Board after[MOST];
            float weight[MOST], low = 1e30f, total = 0;
            int children = generate(&board, moves), bared;
            for (int index = 0; index < children; index++) {
                Move move = moves[index];
                int flags = fired(&board, move, &bared);
                int kept = move.target == TO_CELL ? top(&board, move.source) : -1;
                after[index] = board;
                apply(&after[index], move);
                if (flags && made < most) {
                    Sample *sample = samples + made++;
                    accumulate(net, list, inputs(&after[index], list), sample->sum);
                    sample->bucket = bucket(&after[index]);
                    sample->which = flags * 52 + bared;
                    play_on(&after[index], kept);
                    sample->exact = value_of(net, &after[index]);
                } else if (flags)
                    play_on(&after[index], kept);
                weight[index] = value_of(net, &after[index]);
                if (weight[index] < low) low = weight[index];
            }
            if (!children) break;
            for (int index = 0; index < children; index++) total += weight[index] = exp(low - weight[index]);
            float pick = uniform() * total;
            int index = 0;
            while (index < children - 1 && (pick -= weight[index]) > 0) index++;
            board = after[index];
        }
    }
    memset(net->trigger, 0, sizeof net->trigger);
    float (*square)[WIDE] = get(TRIGGERS * 52 * WIDE * sizeof(float));
    for (int epoch = 0; epoch < 6; epoch++) {
        double error = 0, bias = 0;
        for (size_t at = 0; at < made; at++) {
            const Sample *sample = samples + (random64() % made);
            float *row = net->trigger[0][0] + sample->which * WIDE, sum[WIDE];
            for (int k = 0; k < WIDE; k++) sum[k] = sample->sum[k] + row[k];
            float off = value(net, sum, sample->bucket) - sample->exact;
            error += off * off;
            bias += off;
            if (off < 0) off *= 0.15f;
            for (int k = 0; k < WIDE; k++) {
                if (sum[k] <= 0) continue;
                float slope = off * net->out[sample->bucket][k];
                float *past = &square[sample->which][k];
                *past += slope * slope;
                row[k] -= 0.1f * slope / sqrtf(*past + 1e-6f);
            }
        }
        printf("triggers: %zu samples, error %.3f, bias %.3f\n", made, sqrt(error / made), bias / made);
    }
    save(net, out);
}

/* Whole numbers, in the order of native/net.pxd. */

enum { UNIT = 128, OUT_UNIT = 64, OUTPUTS = 44 };

static int largest;
static void put(FILE *file, const float *from, int count, float unit) {
    for (int index = 0; index < count; index++) {
        int whole = lrintf(from[index] * unit);
        if (abs(whole) > largest) largest = abs(whole);
        if (whole != (int16_t)whole) die("a weight is too large for 16 bits");
        int16_t narrow = whole;
        fwrite(&narrow, sizeof narrow, 1, file);
    }
}

static void quantise(const char *net_name, const char *out) {
    Net *net = load(net_name);
    FILE *file = fopen(out, "wb");
    if (!file) die("cannot write the weights");
    put(file, net->on[0][0], 52 * PLACES * WIDE, UNIT);
    for (int card = 0; card < 52; card++) put(file, net->above[card][0], 4 * rank(card) * WIDE, UNIT);
    put(file, net->trigger[0][0], TRIGGERS * 52 * WIDE, UNIT);
    put(file, net->bias, WIDE, UNIT);
    printf("largest row weight %d of 32767", largest);
    largest = 0;
    for (int index = 0; index < OUTPUTS; index++) put(file, net->out[index < BUCKETS ? index : BUCKETS - 1], WIDE, OUT_UNIT);
    printf(", output weight %d\n", largest);
    for (int index = 0; index < OUTPUTS; index++) {
        int32_t rest = lrintf(net->rest[index < BUCKETS ? index : BUCKETS - 1] * UNIT * OUT_UNIT);
        fwrite(&rest, sizeof rest, 1, file);
    }
    int32_t cells = CELLS;
    fwrite(&cells, sizeof cells, 1, file);
    if (fclose(file)) die("cannot write the weights");
}

static void take(FILE *file, float *to, int count, float unit) {
    int16_t narrow;
    while (count--) {
        if (fread(&narrow, sizeof narrow, 1, file) != 1) die("the weights are cut short");
        *to++ = narrow / unit;
    }
}

static void thaw(const char *body, const char *out) {
    Net *net = get(sizeof *net);
    FILE *file = fopen(body, "rb");
    if (!file) die("cannot read the weights");
    take(file, net->on[0][0], 52 * PLACES * WIDE, UNIT);
    for (int card = 0; card < 52; card++) take(file, net->above[card][0], 4 * rank(card) * WIDE, UNIT);
    take(file, net->trigger[0][0], TRIGGERS * 52 * WIDE, UNIT);
    take(file, net->bias, WIDE, UNIT);
    for (int index = 0; index < BUCKETS; index++) take(file, net->out[index], WIDE, OUT_UNIT);
    fseek(file, (OUTPUTS - BUCKETS) * WIDE * sizeof(int16_t), SEEK_CUR);
    for (int index = 0; index < BUCKETS; index++) {
        int32_t rest;
        if (fread(&rest, sizeof rest, 1, file) != 1) die("the weights are cut short");
        net->rest[index] = rest / (float)(UNIT * OUT_UNIT);
    }
    fclose(file);
    save(net, out);
}

int main(int count, char **word) {
    if (count == 3 && !strcmp(word[1], "seed")) make_seed(word[2]);
    else if (count == 6 && !strcmp(word[1], "solve")) solve(word[2], atoi(word[3]), word[4], word[5]);
    else if (count == 6 && !strcmp(word[1], "fit")) fit(word[2], atoi(word[3]), 0.003, atoi(word[4]), word[5], NULL);
    else if (count == 8 && !strcmp(word[1], "refit"))
        fit(word[3], atoi(word[4]), atof(word[5]), atoi(word[6]), word[7], word[2]);
    else if (count == 8 && !strcmp(word[1], "rank"))
        fit_rank(word[2], word[3], atoi(word[4]), atof(word[5]), atoi(word[6]), word[7]);
    else if (count == 4 && !strcmp(word[1], "thaw")) thaw(word[2], word[3]);
    else if (count == 7 && !strcmp(word[1], "triggers"))
        triggers(word[2], atoi(word[3]), atoi(word[4]), atoi(word[5]), word[6]);
    else if (count == 4 && !strcmp(word[1], "quantise")) quantise(word[2], word[3]);
    else die("see the comment at the head of train.c");
    return 0;
}

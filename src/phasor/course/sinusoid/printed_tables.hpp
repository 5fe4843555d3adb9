// Two tables that the documents print, digit for digit, to compare with.
#pragma once
#include <array>

/// 4 positions, width 8, two decimals.
inline constexpr std::array<std::array<double, 8>, 4> kPrintedWidth8 = {{
    {0.00, 1.00, 0.00, 1.00, 0.00, 1.00, 0.00, 1.00},
    {0.84, 0.54, 0.10, 1.00, 0.01, 1.00, 0.00, 1.00},
    {0.91, -0.42, 0.20, 0.98, 0.02, 1.00, 0.00, 1.00},
    {0.14, -0.99, 0.30, 0.96, 0.03, 1.00, 0.00, 1.00},
}};

/// 5 positions, width 4, four decimals, computed there in single precision.
inline constexpr std::array<std::array<double, 4>, 5> kPrintedWidth4 = {{
    {0.0000, 1.0000, 0.0000, 1.0000},
    {0.8415, 0.5403, 0.0100, 0.9999},
    {0.9093, -0.4161, 0.0200, 0.9998},
    {0.1411, -0.9900, 0.0300, 0.9996},
    {-0.7568, -0.6536, 0.0400, 0.9992},
}};

// What each topic of the course contributes to the tables of claims and figures: one function for
// each, in <topic>/claims.cpp and <topic>/figures.cpp.
#pragma once
#include "phasor/course/claim.hpp"
#include "phasor/course/figures.hpp"

namespace phasor {

std::vector<Claim> order_claims();          // lab 00
std::vector<Claim> sinusoid_claims();       // lab 01
std::vector<Claim> shift_claims();          // lab 02
std::vector<Claim> product_claims();        // lab 03
std::vector<Claim> design_claims();         // lab 04
std::vector<Claim> training_claims();       // lab 06
std::vector<Claim> decomposition_claims();  // lab 07
std::vector<Claim> rope_claims();           // lab 08
std::vector<Claim> bias_claims();           // lab 09
std::vector<Claim> length_claims();         // lab 10
std::vector<Claim> drope_claims();          // lab 11
std::vector<Claim> bake_off_claims();       // lab 12

std::vector<FigureEntry> order_figures();          // lab 00
std::vector<FigureEntry> sinusoid_figures();       // lab 01
std::vector<FigureEntry> shift_figures();          // lab 02
std::vector<FigureEntry> product_figures();        // lab 03
std::vector<FigureEntry> design_figures();         // lab 04
std::vector<FigureEntry> training_figures();       // lab 06
std::vector<FigureEntry> decomposition_figures();  // lab 07
std::vector<FigureEntry> length_figures();         // lab 10
std::vector<FigureEntry> drope_figures();          // lab 11
std::vector<FigureEntry> bake_off_figures();       // lab 12

}  // namespace phasor
